/**
 * Which cards of a list are chosen. Pure: a cursor and an anchor, as file managers have them. Cards are named by
 * their key, so that the choice stays when the list grows or loses some.
 */

export interface Selection<Key> {
  /** The key under the cursor. */
  at: Key | null;
  /** Where a range started. */
  anchor: Key | null;
  chosen: ReadonlySet<Key>;
}

export function nothing<Key>(): Selection<Key> {
  return { at: null, anchor: null, chosen: new Set() };
}

/** The cursor's index in the present order; 0 when its card is gone. */
export function indexOf<Key>(selection: Selection<Key>, order: readonly Key[]): number {
  if (selection.at === null) return 0;
  return Math.max(0, order.indexOf(selection.at));
}

function range<Key>(order: readonly Key[], from: Key | null, to: Key): Set<Key> {
  const end = order.indexOf(to);
  const start = from === null ? end : order.indexOf(from);
  if (start === -1) return new Set([to]);
  const [low, high] = start < end ? [start, end] : [end, start];
  return new Set(order.slice(low, high + 1));
}

/** Moves the cursor to an index, clamped to the list; `extend` selects everything from the anchor on. */
export function moveTo<Key>(selection: Selection<Key>, to: number, order: readonly Key[], extend: boolean): Selection<Key> {
  const at = order[Math.min(Math.max(to, 0), order.length - 1)];
  if (at === undefined) return nothing();
  if (!extend) return { at, anchor: at, chosen: new Set() };
  const anchor = selection.anchor ?? order[0] ?? at;
  return { at, anchor, chosen: range(order, anchor, at) };
}

/** Adds the card to the selection or removes it (Ctrl or ⌘ with a click); the one under the cursor is added, too. */
export function toggle<Key>(selection: Selection<Key>, at: Key): Selection<Key> {
  const chosen = new Set(selection.chosen.size > 0 || selection.at === null ? selection.chosen : [selection.at]);
  if (chosen.has(at)) chosen.delete(at);
  else chosen.add(at);
  return { at, anchor: at, chosen };
}

/** Adds the card or removes it and leaves the others as they are, as a checkbox does. */
export function tick<Key>(selection: Selection<Key>, at: Key): Selection<Key> {
  const chosen = new Set(selection.chosen);
  if (chosen.has(at)) chosen.delete(at);
  else chosen.add(at);
  return { at, anchor: at, chosen };
}

/** Adds everything between the last ticked card and this one. */
export function tickRange<Key>(selection: Selection<Key>, at: Key, order: readonly Key[]): Selection<Key> {
  return { at, anchor: selection.anchor ?? at, chosen: new Set([...selection.chosen, ...range(order, selection.anchor, at)]) };
}

export function selectAll<Key>(keys: readonly Key[]): Selection<Key> {
  const [first] = keys;
  return first === undefined ? nothing() : { at: first, anchor: first, chosen: new Set(keys) };
}

/** What a key press applies to, in the list's order: the chosen cards, or the one under the cursor. */
export function targets<Key>(selection: Selection<Key>, order: readonly Key[]): Key[] {
  const chosen = order.filter((key) => selection.chosen.has(key));
  if (chosen.length > 0) return chosen;
  return order.slice(indexOf(selection, order), indexOf(selection, order) + 1);
}

/** How many columns a grid has: the boxes at the height of the first one. */
export function columnsOf(tops: readonly number[]): number {
  const first = tops[0];
  if (first === undefined) return 1;
  const next = tops.findIndex((top) => top !== first);
  return next === -1 ? tops.length : next;
}
