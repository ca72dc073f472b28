/** What the strip says of each item of a package. */
import type { Place } from "@/api/types";
import type { WorkEntry } from "../saving/delivery";

/** An item's state, or what its submitted text waits for: the network, or the person's decision. */
export type Mark = Place["state"] | "sending" | "undecided";

export interface MarkedPlace extends Place {
  readonly mark: Mark;
}

export function markedPlaces(places: readonly Place[], entries: readonly Pick<WorkEntry, "itemId" | "state">[]): MarkedPlace[] {
  const entryOf = new Map(entries.map((entry) => [entry.itemId, entry.state]));
  return places.map((place) => {
    const entry = entryOf.get(place.id);
    return { ...place, mark: entry === undefined ? place.state : entry === "waiting" ? "sending" : "undecided" };
  });
}

/** Marks that ask for something, the most urgent first: each has a button that leads to the next such item. */
export const ASKING = ["undecided", "returned", "todo"] as const;

/** How many items have each asking mark, and the next of them after a position, round the corner. */
export function askingAfter(places: readonly MarkedPlace[], position: number): { mark: Mark; count: number; next: MarkedPlace }[] {
  return ASKING.flatMap((mark) => {
    const found = places.filter((place) => place.mark === mark);
    const next = found.find((place) => place.position > position) ?? found[0];
    return next ? [{ mark, count: found.length, next }] : [];
  });
}
