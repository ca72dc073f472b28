/** Which labels fit along an axis: always the last, then each from the first on that overlaps no other. */
export function labelsThatFit(positions: readonly number[], room: number): ReadonlySet<number> {
  const fitting = new Set<number>();
  const end = positions.length - 1;
  if (end < 0) return fitting;
  const last = positions[end] ?? 0;
  let before = Number.NEGATIVE_INFINITY;
  positions.forEach((position, index) => {
    if (index === end || position - before < room || last - position < room) return;
    fitting.add(index);
    before = position;
  });
  return fitting.add(end);
}
