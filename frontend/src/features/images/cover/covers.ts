/** What a person decides about regions of a picture: covered or left visible. Pure. */
import type { CoverDetail, CoverRegion } from "@/api/types";
import type { Box, Region } from "@/picture/regions/regions";

export const REGION_TYPES = ["face", "plate", "text", "address", "name", "other"] as const;
export type RegionType = (typeof REGION_TYPES)[number];
export const STYLES = ["fill", "pixelate", "blur"] as const;
export type Style = (typeof STYLES)[number];

/** Why something that was found stays visible; the words are translated where they are shown. */
export const REASONS = ["public_figure", "fictional", "artwork", "consented", "public_notice", "not_recognisable"] as const;
/** Given to what a detector found by mistake, when it is removed. */
export const NOT_THERE = "not_there";

/** Text can be read through cells: these are filled whatever was chosen. */
const FILLED: readonly RegionType[] = ["text", "plate", "address", "name"];
/** Shorter sides below this are filled whatever was chosen; the server does the same. */
const SMALLEST_PIXELATED = 48;

export interface Cover extends Region {
  readonly what: RegionType;
  readonly style: Style;
  /** `open`: a detector found it and no one has decided. */
  readonly status: "open" | "covered" | "exempt";
  /** Why it stays visible; empty unless exempt. */
  readonly reason: string;
  readonly origin: "proposed" | "person";
}

/** The regions to begin with: what detectors found and no one has decided. */
export function proposedCovers(detail: CoverDetail): Cover[] {
  const open = new Set(detail.open);
  return detail.proposals
    .flatMap(({ regions }) => regions)
    .filter(({ key }) => open.has(key))
    .map(({ key, box, what }) => ({
      key,
      box: boxOf(box),
      what: isRegionType(what) ? what : "other",
      style: isStyle(detail.style) ? detail.style : "fill",
      status: "open",
      reason: "",
      origin: "proposed",
    }));
}

/** The covers of a decision that was undone, with what was removed left out again. */
export function undoneCovers(detail: CoverDetail, regions: readonly CoverRegion[]): Cover[] {
  return regions
    .filter(({ reason }) => reason !== NOT_THERE)
    .map(({ key, box, what, how, reason, origin }) => ({
      key,
      box: boxOf(box),
      what: isRegionType(what) ? what : "other",
      style: isStyle(how) ? how : isStyle(detail.style) ? detail.style : "fill",
      status: how === "exempt" ? "exempt" : "covered",
      reason,
      origin: origin === "proposed" ? "proposed" : "person",
    }));
}

/** Whether it is filled whatever style is chosen: text can be read through cells, and small faces recognised. */
export function isFilledAnyway({ what, box }: Pick<Cover, "what" | "box">): boolean {
  return FILLED.includes(what) || Math.min(box[2], box[3]) < SMALLEST_PIXELATED;
}

export function openCovers(covers: readonly Cover[]): Cover[] {
  return covers.filter(({ status }) => status === "open");
}

export function confirmed(covers: readonly Cover[], keys: ReadonlySet<string>): Cover[] {
  return covers.map((cover) => (keys.has(cover.key) ? { ...cover, status: "covered", reason: "" } : cover));
}

export function exempted(covers: readonly Cover[], key: string, reason: string): Cover[] {
  return covers.map((cover) => (cover.key === key ? { ...cover, status: "exempt", reason } : cover));
}

export function changedCover(covers: readonly Cover[], key: string, values: Partial<Pick<Cover, "what" | "style">>): Cover[] {
  return covers.map((cover) => (cover.key === key ? { ...cover, ...values } : cover));
}

/** After a change on the picture: who moves or resizes what was found has confirmed it. */
export function afterDrawing(before: readonly Cover[], after: readonly Cover[]): readonly Cover[] {
  const boxes = new Map(before.map(({ key, box }) => [key, box]));
  const isMoved = ({ key, box }: Cover) => {
    const old = boxes.get(key);
    return old?.some((side, at) => side !== box[at]) ?? false;
  };
  if (!after.some((cover) => cover.status === "open" && isMoved(cover))) return after;
  return after.map((cover) => (cover.status === "open" && isMoved(cover) ? { ...cover, status: "covered" } : cover));
}

/** What is sent: each region with its decision; what was found and removed stays visible, because nothing is there. */
export function regionsToSend(detail: CoverDetail, covers: readonly Cover[]): CoverRegion[] {
  const here = new Set(covers.map(({ key }) => key));
  const removed = proposedCovers(detail).filter(({ key }) => !here.has(key));
  return [...covers.map(toRegion), ...removed.map((cover) => toRegion({ ...cover, status: "exempt", reason: NOT_THERE }))];
}

function toRegion({ key, box, what, style, status, reason, origin }: Cover): CoverRegion {
  return { key, box: [...box], what, how: status === "exempt" ? "exempt" : style, reason: status === "exempt" ? reason : "", origin };
}

export function hasCovered(covers: readonly Cover[]): boolean {
  return covers.some(({ status }) => status === "covered");
}

function boxOf([x = 0, y = 0, width = 1, height = 1]: readonly number[]): Box {
  const round = (value: number) => Math.round(value * 100) / 100;
  return [round(x), round(y), round(width), round(height)];
}

function isRegionType(value: string): value is RegionType {
  return (REGION_TYPES as readonly string[]).includes(value);
}

function isStyle(value: string): value is Style {
  return (STYLES as readonly string[]).includes(value);
}
