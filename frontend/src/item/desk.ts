/** Where an item is written. */
import type { Track } from "@/api/types";

export interface PlaceOfItem {
  readonly track: Track;
  readonly itemId: number;
  /** Null for an item that is in no package. */
  readonly packageId: number | null;
}

/** Below /b/:slug: where the items of each track are written; null where one cannot be. */
const DESKS: Readonly<Record<Track, (place: PlaceOfItem) => string | null>> = {
  package: ({ itemId, packageId }) => packageId === null ? null : `work/${packageId}?item=${itemId}`,
  peer: ({ itemId }) => `team/items/${itemId}`,
};

/** Where an item is written, or null where it cannot be. */
export function deskOf(slug: string, place: PlaceOfItem): string | null {
  const desk = DESKS[place.track](place);
  return desk && `/b/${slug}/${desk}`;
}
