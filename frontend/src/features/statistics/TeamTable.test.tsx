import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Answer } from "@/api/request";
import type { Language } from "@/i18n/languages";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { StatisticsPage } from "./StatisticsPage";

afterEach(() => vi.unstubAllGlobals());

type Row = Answer<"team_statistics">["teams"][number];

const name = (hans: string, hant: string, en: string) => ({ "zh-Hans": hans, "zh-Hant": hant, en });
const EGYPT: Row = {
  team: { id: 7, name: "Cairo" },
  pair: {
    slug: "egypt_egyptian_arabic",
    tag: "arz-EG",
    country: name("埃及", "埃及", "Egypt"),
    language: name("埃及阿拉伯语", "埃及阿拉伯語", "Egyptian Arabic"),
    continent: "africa",
    script: "arabic",
  },
  items: 57,
  pictures: 30,
  categories: [
    { category: "food", items: 50, pictures: 28 },
    { category: "", items: 7, pictures: 7 },
  ],
};
const NEW: Row = { team: { id: 8, name: "New" }, pair: null, items: 0, pictures: 0, categories: [] };

interface Reader {
  operations?: string[];
  track?: string;
  language?: Language;
}

const READS_ALL = ["quality_show", "team_statistics", "item_list"];

async function open(teams: Row[], { operations = READS_ALL, track = "peer", language = "en" }: Reader = {}) {
  const content = { kinds: { captions: { track } } };
  const categories = [
    { slug: "food", name: name("饮食", "飲食", "Food") },
    { slug: "sports", name: name("体育", "體育", "Sports") },
  ];
  const server = serve({
    "GET /api/v1/session": { body: { person: { id: 4 }, benchmarks: [{ slug: "x", operations, kinds: ["captions"], roles: [], teams: [] }] } },
    "GET /api/v1/benchmarks/x": { body: { protocol: { content }, categories } },
    "GET /api/v1/benchmarks/x/quality": { body: { blind: false, people: [], judges: [], agreement: [], doubles: [], packages: [] } },
    "GET /api/v1/benchmarks/x/team-statistics": { body: { kind: "captions", required: 200, teams } },
  });
  await renderScreen(<StatisticsPage />, { at: "/b/x/quality", path: "/b/:slug/quality", language });
  return server;
}

const cells = (row: Element | null) => [...(row?.querySelectorAll("th, td") ?? [])].map((cell) => cell.textContent);

test("teams have a column for each category, and their total beside the required number", async () => {
  await open([EGYPT, NEW]);
  const section = await screen.findByTestId("teams-captions");
  expect(section.querySelector("h2")?.textContent).toBe("Teams: Captions");
  expect(cells(section.querySelector("thead tr"))).toEqual(["Team", "Country", "Language", "Accepted", "Food", "Sports", "No category"]);
  expect(cells(screen.getByTestId("team-7"))).toEqual(["Cairo", "Egypt", "Egyptian Arabic", "57 / 200 (30)", "50 (28)", "0", "7 (7)"]);
  expect(cells(screen.getByTestId("team-8"))).toEqual(["New", "", "", "0 / 200", "0", "0", "0"]);
  expect(cells(screen.getByTestId("all-teams"))).toEqual(["All teams", "57 (30)", "50 (28)", "0", "7 (7)"]);
  expect(screen.getByText("Cairo").getAttribute("href")).toBe("/b/x/team?team=7&kind=captions");
  const meter = screen.getByRole("progressbar", { name: "Accepted items of Cairo" });
  expect([meter.getAttribute("aria-valuenow"), meter.getAttribute("aria-valuemax")]).toEqual(["57", "200"]);
});

test.each([
  ["zh-Hans", ["小组", "国家", "语言", "已接受", "饮食", "体育", "无类别"], ["埃及", "埃及阿拉伯语", "57 / 200 (30)"]],
  ["zh-Hant", ["小組", "國家", "語言", "已接受", "飲食", "體育", "無類別"], ["埃及", "埃及阿拉伯語", "57 / 200 (30)"]],
] as const)("country, language and categories are named in %s", async (language, head, row) => {
  await open([EGYPT], { language });
  const section = await screen.findByTestId("teams-captions");
  expect(cells(section.querySelector("thead tr"))).toEqual(head);
  expect(cells(screen.getByTestId("team-7")).slice(1, 4)).toEqual(row);
  expect(screen.queryByTestId("all-teams")).toBeNull();
});

test("without pairs there are no columns for them", async () => {
  await open([NEW]);
  const section = await screen.findByTestId("teams-captions");
  expect(cells(section.querySelector("thead tr"))).toEqual(["Team", "Accepted", "Food", "Sports"]);
});

test.each([
  ["no team writes", "package", ["quality_show", "team_statistics"]],
  ["the reader may not see it", "peer", ["quality_show"]],
])("is left out where %s", async (_, track, operations) => {
  const server = await open([EGYPT], { track, operations });
  await screen.findByTestId("empty");
  expect(screen.queryByTestId("teams-captions")).toBeNull();
  expect(server.asked.some(({ path }) => path.includes("team-statistics"))).toBe(false);
});
