/** Which pictures of a grid are chosen. Pure: the grid's order, a cursor and an anchor, as file managers have them. */

export interface Selection {
  /** Where the keyboard stands. */
  at: number;
  /** Where a range began. */
  anchor: number;
  chosen: ReadonlySet<number>;
}

export const NONE: Selection = { at: 0, anchor: 0, chosen: new Set() };

function range(from: number, to: number): Set<number> {
  const [low, high] = from < to ? [from, to] : [to, from];
  return new Set(Array.from({ length: high - low + 1 }, (_, i) => low + i));
}

/** Moves the cursor within `length` pictures; `extend` takes along everything from the anchor on. */
export function moveTo(selection: Selection, to: number, length: number, extend: boolean): Selection {
  if (length === 0) return NONE;
  const at = Math.min(Math.max(to, 0), length - 1);
  if (extend) return { at, anchor: selection.anchor, chosen: range(selection.anchor, at) };
  return { at, anchor: at, chosen: new Set() };
}

/** Adds the picture to the chosen ones or takes it out (Ctrl or ⌘ with a click). */
export function toggle(selection: Selection, at: number): Selection {
  const chosen = new Set(selection.chosen.size > 0 ? selection.chosen : [selection.at]);
  if (chosen.has(at)) chosen.delete(at);
  else chosen.add(at);
  return { at, anchor: at, chosen };
}

export function selectAll(length: number): Selection {
  return length === 0 ? NONE : { at: 0, anchor: 0, chosen: range(0, length - 1) };
}

/** What a key press applies to: the chosen pictures, or the one under the cursor. */
export function targets(selection: Selection, length: number): number[] {
  const wanted = selection.chosen.size > 0 ? [...selection.chosen] : [selection.at];
  return wanted.filter((index) => index < length).sort((a, b) => a - b);
}

/** How many of the first boxes stand in one row: those at the height of the first. */
export function columnsOf(tops: readonly number[]): number {
  const first = tops[0];
  if (first === undefined) return 1;
  const next = tops.findIndex((top) => top !== first);
  return next === -1 ? tops.length : next;
}
