/** Where an item is written, and where it is validated. */
import type { Track } from "@/api/types";

export interface PlaceOfItem {
  readonly track: Track;
  readonly itemId: number;
  /** Null for an item that is in no package. */
  readonly packageId: number | null;
}

/** The tracks in which people create items on pictures of their choice, on a board. */
export type BoardTrack = Exclude<Track, "package">;

/** The track of an item that is on a board. */
export function boardTrackOf(track: Track): BoardTrack {
  return track === "package" ? "peer" : track;
}

/** Below /b/:slug: the board of each of these tracks. */
const BOARDS: Readonly<Record<BoardTrack, string>> = { peer: "team", panel: "write", pair: "write" };

/** The board of a kind, of a team where items belong to teams, without a kind: as the page chooses. */
export function boardOf(slug: string, track: BoardTrack, query: { kind?: string | undefined; team?: number | undefined; show?: string } = {}): string {
  const { kind, team, show } = query;
  const parts = [kind === undefined ? "" : `kind=${kind}`, team === undefined ? "" : `team=${team}`, show === undefined ? "" : `show=${show}`];
  const search = parts.filter((part) => part !== "").join("&");
  return `/b/${slug}/${BOARDS[track]}${search === "" ? "" : `?${search}`}`;
}

/** The desk of an item of a board. */
export function boardDeskOf(slug: string, track: BoardTrack, itemId: number): string {
  return `/b/${slug}/${BOARDS[track]}/items/${itemId}`;
}

/** Below /b/:slug: where the items of each track are written; null where one cannot be. */
const DESKS: Readonly<Record<Track, (place: PlaceOfItem) => string | null>> = {
  package: ({ itemId, packageId }) => packageId === null ? null : `work/${packageId}?item=${itemId}`,
  peer: ({ itemId }) => `${BOARDS.peer}/items/${itemId}`,
  panel: ({ itemId }) => `${BOARDS.panel}/items/${itemId}`,
  pair: ({ itemId }) => `${BOARDS.pair}/items/${itemId}`,
};

/** Below /b/:slug: where one item is validated, in the tracks in which that is done item by item. */
const CHECKS: Readonly<Partial<Record<Track, (item: { id: number; kind: string; team: { id: number } | null }) => string>>> = {
  peer: ({ id, kind, team }) => `team/validate?kind=${kind}${team === null ? "" : `&team=${team.id}`}&item=${id}`,
};

/** Below /b/:slug: what people do on a board with others' items one after the other; the first that is offered counts. */
const ONE_BY_ONE: Readonly<Record<BoardTrack, readonly { operation: string; page: string }[]>> = {
  peer: [{ operation: "item_star", page: "team/validate" }],
  panel: [{ operation: "item_judge", page: "write/judge" }],
  pair: [
    { operation: "item_decide", page: "write/decide" },
    { operation: "item_click", page: "write/click" },
  ],
};

/** The operations by which items of a board wait for a person. */
export const CHECKING: readonly string[] = Object.values(ONE_BY_ONE).flatMap((pages) => pages.map(({ operation }) => operation));

/** Where a person checks, judges, clicks on or decides about a board's items one after the other; null where they may not. */
export function checkAllOf(
  slug: string,
  track: BoardTrack,
  board: { kind: string; team: { id: number } | null; available_actions: readonly string[] },
): string | null {
  const offered = ONE_BY_ONE[track].find(({ operation }) => board.available_actions.includes(operation));
  return offered ? `/b/${slug}/${offered.page}?kind=${board.kind}${board.team === null ? "" : `&team=${board.team.id}`}` : null;
}

/** The tracks whose items belong to teams. */
export const TEAM_TRACKS: readonly Track[] = ["peer"];

/** Where an item is written, or null where it cannot be. */
export function deskOf(slug: string, place: PlaceOfItem): string | null {
  const desk = DESKS[place.track](place);
  return desk && `/b/${slug}/${desk}`;
}

/** Where a person may do what the server offers them on an item; null where they may not, or it has no such page. */
export function pagesOfItem(
  slug: string,
  item: {
    id: number;
    kind: string;
    track: Track;
    team: { id: number } | null;
    package: { id: number } | null;
    available_actions: readonly string[];
  },
): { write: string | null; validate: string | null } {
  const offers = (...operations: string[]) => operations.some((operation) => item.available_actions.includes(operation));
  const check = CHECKS[item.track]?.(item);
  return {
    // An item is also discarded on its desk.
    write: offers("item_submit", "item_discard") ? deskOf(slug, { track: item.track, itemId: item.id, packageId: item.package?.id ?? null }) : null,
    validate: offers("item_star", "item_send_back") && check !== undefined ? `/b/${slug}/${check}` : null,
  };
}
