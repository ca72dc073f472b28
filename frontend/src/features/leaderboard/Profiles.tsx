/** What profiles score for a release, of runs and listed submissions. */
import { useRead } from "@/api/queries";
import { pairOf } from "@/board/pair";
import { ProfileBoard } from "@/board/ProfileBoard";
import { Loaded } from "@/ui/Loaded";
import { useFilters } from "@/ui/useFilters";

export function Profiles({ release, kind }: { release: number; kind: string }) {
  const filters = useFilters({ replace: true });
  const query = { kind, profile: filters.get("profile") };
  const board = useRead("leaderboard_profile", { path: { id: release }, query: { ...query, tag: filters.get("tag") } }, { keepLast: true });
  const pair = pairOf(board.data, filters);
  const compared = useRead(
    "leaderboard_profile_compare",
    { path: { id: release }, query: { ...query, one: pair?.one ?? "", other: pair?.other ?? "" } },
    { enabled: pair !== null && pair.one !== pair.other, keepLast: true },
  );
  return <Loaded of={board}>{(data) => <ProfileBoard board={data} pair={pair} compared={compared} onChange={filters.set} />}</Loaded>;
}
