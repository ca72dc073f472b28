/** What profiles score on an item set, by tags of its questions. */
import { useRead } from "@/api/queries";
import { pairOf } from "@/board/pair";
import { ProfileBoard } from "@/board/ProfileBoard";
import { Loaded } from "@/ui/Loaded";
import { useFilters } from "@/ui/useFilters";

export function SetBoard({ set }: { set: number }) {
  const filters = useFilters({ replace: true });
  const profile = filters.get("profile");
  const board = useRead("set_board", { path: { id: set }, query: { profile, tag: filters.get("tag") } }, { keepLast: true });
  const pair = pairOf(board.data, filters);
  const compared = useRead(
    "set_board_compare",
    { path: { id: set }, query: { profile, one: pair?.one ?? "", other: pair?.other ?? "" } },
    { enabled: pair !== null && pair.one !== pair.other, keepLast: true },
  );
  return <Loaded of={board}>{(data) => <ProfileBoard board={data} pair={pair} compared={compared} onChange={filters.set} />}</Loaded>;
}
