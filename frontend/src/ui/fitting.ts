/** Which labels along an axis have room: the last always, then from the first on, each as far as it stays clear. */
export function fitting(places: readonly number[], room: number): ReadonlySet<number> {
  const shown = new Set<number>();
  const end = places.length - 1;
  if (end < 0) return shown;
  const last = places[end] ?? 0;
  let before = Number.NEGATIVE_INFINITY;
  places.forEach((place, index) => {
    if (index === end || place - before < room || last - place < room) return;
    shown.add(index);
    before = place;
  });
  return shown.add(end);
}
