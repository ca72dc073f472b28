/** The boxes of a content as regions of the picture, and back. */
import type { CodeNode, Finding, WorkRules } from "@/api/types";
import { isEqual, type Box, type Region } from "@/picture/regions/regions";
import type { Content } from "../kind";
import { get } from "../tree";

const LIST = "boxes";

interface Entry {
  readonly key: string;
  readonly category: string;
  readonly box: readonly number[];
}

function entriesOf(rules: WorkRules, content: Content): readonly Entry[] {
  return (get(rules.content, content, LIST) ?? []) as readonly Entry[];
}

/** The boxes that have a place, in the order they were drawn. */
export function regionsOf(rules: WorkRules, content: Content): Region[] {
  return entriesOf(rules, content).flatMap(({ key, category, box }) => {
    const [x, y, width, height] = box;
    if (x === undefined || y === undefined || width === undefined || height === undefined) return [];
    const place: Box = [x, y, width, height];
    return [{ key, label: category, box: place }];
  });
}

/** The content with these boxes; those without a place are dropped, as only imports have them. */
export function contentOf(regions: readonly Region[]): Content {
  return { [LIST]: regions.map(({ key, label = "", box }) => ({ key, category: label, box: [...box] })) };
}

export const pathOf = (key: string, field: "category" | "box"): string => `${LIST}.${key}.${field}`;

/** The key of the box that a path is about; null for the list itself. */
export function keyOf(path: string): string | null {
  const [list, key = ""] = path.split(".");
  return list === LIST && key !== "" ? key : null;
}

/** What the path names of a box. */
export function fieldOf(path: string): string | undefined {
  return path.split(".")[2];
}

export interface BoxChanges {
  readonly moved: number;
  readonly added: number;
  readonly removed: number;
  /** Boxes that have another category. */
  readonly renamed: number;
}

/** What became of the boxes between two versions; one that was moved and has another category counts as both. */
export function boxChanges(rules: WorkRules, before: Content, after: Content): BoxChanges {
  const [earlier, later] = [before, after].map((content) => new Map(entriesOf(rules, content).map((entry) => [entry.key, entry])));
  const kept = [...(later ?? [])].flatMap(([key, now]) => {
    const then = earlier?.get(key);
    return then ? [{ then, now }] : [];
  });
  return {
    moved: kept.filter(({ then, now }) => then.box.join() !== now.box.join()).length,
    added: (later?.size ?? 0) - kept.length,
    removed: (earlier?.size ?? 0) - kept.length,
    renamed: kept.filter(({ then, now }) => then.category !== now.category).length,
  };
}

/** The boxes of a version with those that it no longer has, and what became of each since the version before. */
export function changedRegions(rules: WorkRules, before: Content, after: Content): { regions: Region[]; fateOf: (region: Region) => "added" | "removed" | "changed" | "same" } {
  const [earlier, later] = [before, after].map((content) => new Map(regionsOf(rules, content).map((region) => [region.key, region])));
  const removed = [...(earlier?.values() ?? [])].filter(({ key }) => !later?.has(key));
  return {
    regions: [...(later?.values() ?? []), ...removed],
    fateOf: (region) => {
      const then = earlier?.get(region.key);
      if (!then) return "added";
      if (!later?.has(region.key)) return "removed";
      return isEqual([then], [region]) ? "same" : "changed";
    },
  };
}

export type Categories = CodeNode["choices"];

/** The categories that a box may have. */
export function categoriesOf({ content }: WorkRules): Categories {
  const list = content.fields[LIST];
  const category = list?.type === "keyed" ? list.of.fields.category : undefined;
  return category?.type === "code" ? category.choices : [];
}

/** How many boxes each category has: the main one first, then as they were drawn; those without a category last. */
export function countsOf(regions: readonly Region[], main: string | null): { code: string; count: number }[] {
  const counts = new Map<string, number>(main === null ? [] : [[main, 0]]);
  for (const { label = "" } of regions) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].map(([code, count]) => ({ code, count })).sort((a, b) => Number(a.code === "") - Number(b.code === ""));
}

/**
 * A colour for each category on a picture: its own by its place in the list, or the next one free where a category that was
 * boxed before has it. Only pictures with more categories than there are colours repeat one.
 */
export function coloursOf(codes: Iterable<string>, categories: Categories, colours: number): ReadonlyMap<string, number> {
  const order = new Map(categories.map(({ code }, at) => [code, at]));
  const chosen = new Map<string, number>();
  for (const code of codes) {
    if (chosen.has(code)) continue;
    const own = order.get(code) ?? 0;
    const taken = new Set(chosen.values());
    const free = Array.from({ length: colours }, (_, step) => (own + step) % colours).find((colour) => !taken.has(colour));
    chosen.set(code, free ?? own % colours);
  }
  return chosen;
}

/** Findings about a box, or about the list as a whole for null. */
export function findingsOfBox(findings: readonly Finding[], key: string | null): Finding[] {
  return findings.filter(({ field }) => keyOf(field) === key);
}
