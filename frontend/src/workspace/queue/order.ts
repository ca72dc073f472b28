/** Which item comes next in a package, given what is known and what was already submitted. */

interface QueueItem {
  readonly id: number;
  readonly position: number;
  readonly state: string;
}

/** Items someone must still write: never written, or sent back. */
export function isOpen(item: QueueItem): boolean {
  return item.state === "todo" || item.state === "returned";
}

/**
 * The open items in working order: those after the current position first, then, round the
 * corner, those before it that were skipped. Submitted items are left out although the server
 * may not have heard of them yet.
 */
export function upcoming<Item extends QueueItem>(
  known: readonly Item[],
  currentPosition: number,
  submitted: ReadonlySet<number>,
): Item[] {
  const open = known
    .filter((item) => isOpen(item) && !submitted.has(item.id) && item.position !== currentPosition)
    .sort((a, b) => a.position - b.position);
  return [
    ...open.filter((item) => item.position > currentPosition),
    ...open.filter((item) => item.position < currentPosition),
  ];
}

/** Newer knowledge of an item replaces older; the rest stays. */
export function withKnown<Item extends QueueItem>(known: readonly Item[], fresh: readonly Item[]): Item[] {
  const byId = new Map(known.map((item) => [item.id, item]));
  for (const item of fresh) byId.set(item.id, item);
  return [...byId.values()].sort((a, b) => a.position - b.position);
}
