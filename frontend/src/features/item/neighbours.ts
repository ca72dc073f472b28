/** The list an item was opened from: it travels with the link, so that going on needs no question to the server. */

function listIn(state: unknown): readonly number[] {
  if (typeof state !== "object" || state === null || !("items" in state) || !Array.isArray(state.items)) return [];
  return state.items.filter((one): one is number => typeof one === "number");
}

export function neighbours(state: unknown, item: number): { previous: number | null; next: number | null } {
  const list = listIn(state);
  const at = list.indexOf(item);
  if (at === -1) return { previous: null, next: null };
  return { previous: list[at - 1] ?? null, next: list[at + 1] ?? null };
}
