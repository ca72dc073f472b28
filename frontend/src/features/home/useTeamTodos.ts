/** What waits on the reader's boards: those of their teams, for each kind that teams do, those of panels and those of pairs. */
import { useQueries } from "@tanstack/react-query";
import { call } from "@/api/client";
import { queryKey, useRead } from "@/api/queries";
import { useMay, useMe, useSessionBenchmark } from "@/api/session";
import { useClickKinds, useTrackKinds } from "@/kinds/useTrackKinds";
import { clickTodosFrom, dialogueTodosFrom, pairTodosFrom, panelTodosFrom, spotCheckTodosFrom, teamTodosFrom, type Todo } from "./todo";

const EVERY_MS = 60_000;

export function useTeamTodos(slug: string): Todo[] {
  const may = useMay(slug);
  const { id: me } = useMe();
  const kinds = useTrackKinds(slug, "peer");
  const teams = useSessionBenchmark(slug)?.teams ?? [];
  const boards = useQueries({
    queries: (may("team_board") ? kinds : []).flatMap((kind) =>
      teams.map(({ id: team }) => {
        const request = { path: { b: slug }, query: { kind, team, page_size: 1 } };
        return { queryKey: queryKey("team_board", request), queryFn: () => call("team_board", request), refetchInterval: EVERY_MS };
      }),
    ),
  });
  const panelKinds = useTrackKinds(slug, "panel");
  const panels = useBoards(slug, panelKinds);
  const pairKinds = useTrackKinds(slug, "pair");
  const pairs = useBoards(slug, pairKinds);
  const clickKinds = useClickKinds(slug);
  const clicking = useQueries({
    queries: (may("clicking_show") ? clickKinds : []).map((kind) => {
      const request = { path: { b: slug }, query: { kind } };
      return { queryKey: queryKey("clicking_show", request), queryFn: () => call("clicking_show", request), refetchInterval: EVERY_MS };
    }),
  });
  const talks = may("lobby_show") && pairKinds.includes("dialogue");
  const lobby = useRead("lobby_show", { path: { b: slug } }, { enabled: talks, refetchInterval: EVERY_MS });
  const checks = useQueries({
    queries: (may("item_spot_check") ? kinds : []).map((kind) => {
      const request = { path: { b: slug }, query: { kind, page_size: 1 } };
      return { queryKey: queryKey("spot_check_list", request), queryFn: () => call("spot_check_list", request), refetchInterval: EVERY_MS };
    }),
  });
  // Asked only where nothing waits, and not repeated: the server reads all accepted items for what a draw would take.
  const previews = useQueries({
    queries: (may("item_spot_check") && may("spot_check_draw") ? kinds : []).map((kind, i) => {
      const request = { path: { b: slug }, query: { kind, preview: true, page_size: 1 } };
      const enabled = checks[i]?.data?.to_judge === 0;
      return { queryKey: queryKey("spot_check_list", request), queryFn: () => call("spot_check_list", request), enabled };
    }),
  });
  const spotChecks = checks.flatMap(({ data }, i) => (data ? { ...data, preview: previews[i]?.data?.preview ?? [] } : []));
  return [
    ...spotCheckTodosFrom(spotChecks),
    ...teamTodosFrom(boards.flatMap(({ data }) => data ?? [])),
    ...panelTodosFrom(panels.flatMap(({ data }) => data ?? []), me),
    ...dialogueTodosFrom(talks ? lobby.data : undefined),
    ...clickTodosFrom(clicking.flatMap(({ data }) => data ?? [])),
    ...pairTodosFrom(pairs.flatMap(({ data }) => data ?? []), me),
  ];
}

/** The boards of kinds whose items belong to no team. */
function useBoards(slug: string, kinds: readonly string[]) {
  const may = useMay(slug);
  return useQueries({
    queries: (may("team_board") ? kinds : []).map((kind) => {
      const request = { path: { b: slug }, query: { kind, page_size: 1 } };
      return { queryKey: queryKey("team_board", request), queryFn: () => call("team_board", request), refetchInterval: EVERY_MS };
    }),
  });
}
