/** The item that a prompt is rendered with, kept in the address: a page that is loaded again shows the same. */
import { useFilters } from "@/ui/useFilters";
import type { ItemChoice } from "./ItemChooser";

const NONE = "none";

export function useItemChoice(kinds: readonly string[]): [ItemChoice, (choice: ItemChoice) => void] {
  const filters = useFilters({ replace: true });
  const choice: ItemChoice = {
    kind: filters.oneOf("kind", kinds) ?? kinds[0],
    item: filters.get("item") === NONE ? null : filters.number("item"),
    part: filters.number("part") ?? 0,
    side: filters.get("side") ?? "",
  };
  // The reply to what was chosen before would stand beside another item.
  const choose = ({ kind, item, part, side }: ItemChoice) =>
    filters.set({ kind, item: item === null ? NONE : item, part: part === 0 ? undefined : part, side, trial: undefined });
  return [choice, choose];
}
