/** The items of the open item's team, or in the panel track the person's own, each with its state or what its submitted text waits for. */
import { useMemo } from "react";
import { useRead } from "@/api/queries";
import type { PeerItem } from "@/api/types";
import type { WorkEntry } from "../saving/delivery";
import { markedPlaces, type MarkedPlace } from "../strip/marks";

const EVERY_MS = 60_000;

export function useTeamPlaces(slug: string, item: Pick<PeerItem, "id" | "kind" | "team" | "state"> | null, entries: readonly Pick<WorkEntry, "itemId" | "state">[]): MarkedPlace[] {
  const read = useRead(
    "team_places",
    { path: { b: slug }, query: { kind: item?.kind ?? "", team: item?.team?.id } },
    { enabled: item !== null, refetchInterval: EVERY_MS },
  );
  const state = item?.state;
  const id = item?.id;
  return useMemo(() => {
    // The open item's own answer is newer than the list.
    const places = (read.data?.items ?? []).map((place) => (place.id === id && state !== undefined ? { ...place, state } : place));
    return markedPlaces(places, entries);
  }, [read.data, entries, id, state]);
}
