/** The order in which options are shown to those who check a question: random, and the same whenever the item is shown. */

/** A generator of numbers from 0 to 1 (mulberry32). */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function shuffled<Value>(values: readonly Value[], seed: number): Value[] {
  const next = random(seed);
  const order = values.map((value) => ({ value, at: next() }));
  return order.sort((a, b) => a.at - b.at).map(({ value }) => value);
}
