import { expect, test } from "vitest";
import type { Answer } from "@/api/request";
import { columnsOf, summed } from "./teamCounts";

type Row = Answer<"team_statistics">["teams"][number];

const name = (en: string) => ({ "zh-Hans": en, "zh-Hant": en, en });
const counts = (category: string, items: number, pictures: number) => ({ category, items, pictures });
const row = (id: number, items: number, pictures: number, categories: Row["categories"]): Row => ({
  team: { id, name: `Team ${id}` },
  pair: null,
  items,
  pictures,
  categories,
});
const TEAMS = [
  row(1, 5, 3, [counts("", 1, 1), counts("food", 3, 2), counts("removed", 1, 1)]),
  row(2, 2, 2, [counts("food", 2, 2)]),
];

test("columns are the benchmark's categories, then other codes, then items without a category", () => {
  const categories = ["food", "sports"].map((slug) => ({ slug, name: name(slug) }));
  expect(columnsOf(categories, TEAMS)).toEqual([
    { slug: "food", name: name("food") },
    { slug: "sports", name: name("sports") },
    { slug: "removed", name: null },
    { slug: "", name: null },
  ]);
  expect(columnsOf(categories, [])).toHaveLength(2);
});

test("sums are over teams, by category and in all", () => {
  expect(summed(TEAMS)).toEqual({
    items: 7,
    pictures: 5,
    categories: [counts("", 1, 1), counts("food", 5, 4), counts("removed", 1, 1)],
  });
});
