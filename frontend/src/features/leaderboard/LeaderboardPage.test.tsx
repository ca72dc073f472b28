import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { KeySheets } from "@/ui/keys";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import type { BoardSystem, Cell, Leaderboard } from "./board";
import { LeaderboardPage } from "./LeaderboardPage";
import { SamplePage } from "./SamplePage";
import type { Answer } from "@/api/request";

afterEach(() => vi.unstubAllGlobals());

const text = (words: string) => ({ "zh-Hans": words, "zh-Hant": words, en: words });
const score = (part: Partial<Cell>): Cell => ({
  scope: "t2i",
  metric: "R@1",
  group_by: "",
  group: "",
  value: 0.3,
  low: 0.2,
  high: 0.4,
  interval: "cluster-bootstrap-percentile-1000",
  n_expected: 45,
  n_scored: 45,
  n_missing: 0,
  n_failed: 0,
  ...part,
});
const system = (run: number, name: string, value: number, part: Partial<BoardSystem> = {}): BoardSystem => ({
  system: { slug: name.toLowerCase(), name, description: text(`About ${name}.`), revision: "1", is_demo: false },
  run,
  of: "rolling",
  scoring: run * 10,
  computed_at: "2026-11-20T08:00:00Z",
  status: "scored",
  scores: [
    score({ value }),
    score({ group_by: "distance", group: "coco", value: value + 0.1 }),
    score({ group_by: "distance", group: "closest", value: value - 0.1, n_scored: 20, n_expected: 22 }),
  ],
  gaps: [{ scope: "t2i", metric: "R@1", group_by: "distance", gap: 0.2, highest: "coco", lowest: "closest", low: 0.05, high: 0.35, interval: "b" }],
  ...part,
});
const board = (systems: BoardSystem[]): Leaderboard => ({
  kind: "captions",
  kinds: ["captions"],
  suite: "retrieval",
  profile: "retrieval/ties-against",
  gallery: { split: "test", images: 9, texts: 45, digest: "d" },
  metrics: ["R@1", "R@5"],
  scopes: ["t2i", "i2t"],
  groups: [
    { group_by: "distance", group: "coco", name: text("Shared"), n: 5 },
    { group_by: "distance", group: "closest", name: text("Closest"), n: 4 },
  ],
  systems,
  charts: ["leaderboard.csv", "leaderboard.svg", "groups-distance.csv", "groups-distance.svg"].map((name) => ({ name, url: `/api/v1/releases/5/leaderboard/${name}` })),
  has_profiles: true,
  submissions: [],
});
const OPERATIONS = ["leaderboard_show", "leaderboard_compare", "sample_list", "sample_show", "run_show", "image_show"];
const SESSION = { body: { person: { id: 1 }, benchmarks: [{ slug: "x", operations: OPERATIONS, kinds: ["captions"], roles: [] }] } };

async function open(systems: BoardSystem[], at = "", compared: Partial<Answer<"leaderboard_compare">> = {}) {
  const answer = { n: 45, images: 9, both: 10, only_one: 9, only_other: 2, neither: 24, difference: 0.1556, low: 0.02, high: 0.29, p: 0.031, method: "exact-sign-flip-over-clusters", interval: "b" };
  const server = serve({
    "GET /api/v1/session": SESSION,
    "GET /api/v1/releases/3/leaderboard": { body: board(systems) },
    "GET /api/v1/releases/3/comparison": { body: { ...answer, ...compared } },
  });
  const rendered = await renderScreen(
    <>
      <KeySheets />
      <LeaderboardPage />
    </>,
    { at: `/b/x/releases/3/leaderboard${at}`, path: "/b/:slug/releases/:releaseId/leaderboard" },
  );
  return { ...server, ...rendered };
}

test("the best comes first; every figure shows its interval and leads to its queries", async () => {
  await open([system(1, "Weak", 0.3), system(2, "Strong", 0.5, { system: { slug: "strong", name: "Strong", description: text(""), revision: "1", is_demo: true } })]);
  const rows = within(await screen.findByTestId("scores")).getAllByTestId(/^system-/);
  expect(rows.map((row) => row.dataset.testid)).toEqual(["system-strong", "system-weak"]);
  const [strong] = rows;
  if (!strong) throw new Error("no row");
  expect(strong.textContent).toContain("demo only");
  const figure = within(strong).getByTestId("score-t2i-R@1");
  expect(figure.textContent).toBe("50.0%");
  expect(figure.closest("a")?.getAttribute("href")).toBe("/b/x/releases/3/samples?run=2&scope=t2i&at=1");
  expect(within(strong).getAllByRole("img")[0]?.getAttribute("aria-label")).toBe("95% interval 20.0% – 40.0%; 45 of 45 scored");
  expect(within(strong).getByTestId("counts-t2i").textContent).toBe("texts 45 / 45");
});

test("groups show denominators, lead to their own queries, and close with the gap", async () => {
  await open([system(1, "Weak", 0.3)]);
  const closest = await screen.findByTestId("group-closest");
  expect(closest.textContent).toContain("Closest4");
  expect(closest.textContent).toContain("20 of 22 scored");
  expect(closest.querySelector("a")?.getAttribute("href")).toBe("/b/x/releases/3/samples?run=1&scope=t2i&at=1&distance=closest");
  expect(screen.getByTestId("gap-weak").textContent).toBe("20.0 points5.0 – 35.0best: Shared; worst: Closest");
  expect(screen.getByTestId("compare-alone")).toBeTruthy();
});

test.each([
  [{}, "one", "Strong leads Weak by 15.6 points (95% interval 2.0 to 29.0); the difference is significant."],
  [{ difference: -0.1, low: -0.2, high: -0.05 }, "other", "Weak leads Strong by 10.0 points (95% interval 5.0 to 20.0); the difference is significant."],
  [{ low: -0.02 }, "unclear", "The difference is 15.6 points, but the 95% interval, -2.0 to 29.0, includes zero"],
] as const)("a comparison is described: %o", async (part, verdict, words) => {
  const { asked } = await open([system(1, "Weak", 0.3), system(2, "Strong", 0.5)], "", part);
  const compared = await screen.findByTestId("compared");
  expect(compared.dataset.verdict).toBe(verdict);
  expect(compared.textContent).toContain("Queries answered by both: 45. Strong ranks the right answer first for 42.2%, Weak for 26.7%.");
  expect(compared.textContent).toContain(words);
  const query = asked.find(({ path }) => path.endsWith("/comparison"))?.query;
  expect(query?.toString()).toBe("one=2&other=1&scope=t2i&metric=R%401");
});

test("keys turn the direction and continue to the next metric", async () => {
  const { router } = await open([system(1, "Weak", 0.3)]);
  await screen.findByTestId("scores");
  await userEvent.keyboard("t");
  expect(router.state.location.search).toBe("?scope=i2t");
  await userEvent.keyboard("m");
  expect(new URLSearchParams(router.state.location.search).get("metric")).toBe("R@5");
});

test("n and p go from sample to sample and keep the filters", async () => {
  const sample = (ordinal: number): Answer<"sample_show"> => ({
    query: {
      scope: "t2i",
      ordinal,
      item: { id: 5, label: "cap-000005" },
      image: { id: 8, label: "img-0008", thumb_url: "t", view_url: "v", width: 4, height: 3 },
      variant: "caption-1",
      texts: ["one", "two"],
      text: "two",
      category: "lion",
      distance: "coco",
    },
    gold: [],
    systems: [
      { system: { slug: "weak", name: "Weak", description: text(""), revision: "1", is_demo: false }, run: 1, rank: 3, nearest: [] },
      {
        system: { slug: "strong", name: "Strong", description: text(""), revision: "1", is_demo: false },
        run: 2,
        rank: 0,
        nearest: [{ item: { id: 5, label: "cap-000005" }, image: { id: 8, label: "img-0008", thumb_url: "t" }, variant: "image", text: null, similarity: 0.3712, is_gold: true }],
      },
    ],
    previous: ordinal - 1,
    next: ordinal === 6 ? null : ordinal + 1,
  });
  serve({
    "GET /api/v1/session": SESSION,
    "GET /api/v1/benchmarks/x": { body: { protocol: { content: {} }, categories: [] } },
    "GET /api/v1/releases/3/samples/t2i/5": { body: sample(5) },
    "GET /api/v1/releases/3/samples/t2i/6": { body: sample(6) },
  });
  const { router } = await renderScreen(
    <>
      <KeySheets />
      <SamplePage />
    </>,
    { at: "/b/x/releases/3/samples/t2i/5?run=2&at=1&outcome=hit", path: "/b/:slug/releases/:releaseId/samples/:scope/:ordinal" },
  );
  const [first] = await screen.findAllByTestId(/^nearest-/);
  expect(first?.dataset.testid).toBe("nearest-strong");
  expect(first?.querySelector("[data-gold=true]")?.textContent).toBe("1correct 0.371");
  await userEvent.keyboard("n");
  expect(router.state.location.pathname + router.state.location.search).toBe("/b/x/releases/3/samples/t2i/6?run=2&at=1&outcome=hit");
  await vi.waitFor(() => expect(screen.queryByTestId("next-sample")).toBeNull());
  await userEvent.keyboard("u");
  expect(router.state.location.search).toBe("?run=2&at=1&outcome=hit&scope=t2i");
});

test.each([
  ["retrieval", true],
  [null, false],
])("a run is offered where a suite reads the release: %s", async (suite, isOffered) => {
  serve({
    "GET /api/v1/session": { body: { ...SESSION.body, benchmarks: [{ ...SESSION.body.benchmarks[0], operations: [...OPERATIONS, "run_start", "submission_list"] }] } },
    "GET /api/v1/releases/3/leaderboard": { body: { ...board([]), suite } },
  });
  await renderScreen(<LeaderboardPage />, { at: "/b/x/releases/3/leaderboard", path: "/b/:slug/releases/:releaseId/leaderboard" });
  expect(await screen.findByTestId("to-submissions")).toBeTruthy();
  expect(screen.queryByTestId("start-run") !== null).toBe(isOffered);
});

test.each([
  [false, "No suite for this kind yet"],
  [true, "No results yet"],
])("a kind of questions has no direction to turn, and text only where nothing is scored: %s", async (hasProfiles, text) => {
  serve({ "GET /api/v1/session": SESSION, "GET /api/v1/releases/3/leaderboard": { body: { ...board([]), suite: null, scopes: [], has_profiles: hasProfiles } } });
  const { router } = await renderScreen(
    <>
      <KeySheets />
      <LeaderboardPage />
    </>,
    { at: "/b/x/releases/3/leaderboard", path: "/b/:slug/releases/:releaseId/leaderboard" },
  );
  expect(await screen.findByText(text)).toBeTruthy();
  await userEvent.keyboard("t");
  expect(router.state.location.search).toBe("");
});

test("tables of questions stand without that text", async () => {
  const submissions = [{ profile: "cvlue-vqa/exact", source: "s", rows: [] }];
  serve({ "GET /api/v1/session": SESSION, "GET /api/v1/releases/3/leaderboard": { body: { ...board([]), suite: null, scopes: [], submissions } } });
  await renderScreen(<LeaderboardPage />, { at: "/b/x/releases/3/leaderboard", path: "/b/:slug/releases/:releaseId/leaderboard" });
  expect(await screen.findByTestId("submissions")).toBeTruthy();
  expect([screen.queryByText("No suite for this kind yet"), screen.queryByText("No results yet")]).toEqual([null, null]);
});

test("a board that was withdrawn offers nothing but its release", async () => {
  serve({
    "GET /api/v1/session": { body: { ...SESSION.body, benchmarks: [{ ...SESSION.body.benchmarks[0], operations: [...OPERATIONS, "run_start", "submission_list"] }] } },
    "GET /api/v1/releases/3/leaderboard": { status: 404, body: { code: "release_withdrawn", params: { release: "captions-v1" }, detail: "" } },
  });
  await renderScreen(<LeaderboardPage />, { at: "/b/x/releases/3/leaderboard", path: "/b/:slug/releases/:releaseId/leaderboard" });
  expect((await screen.findByTestId("problem")).dataset.code).toBe("release_withdrawn");
  expect(screen.queryByTestId("start-run")).toBeNull();
  expect(screen.queryByTestId("to-submissions")).toBeNull();
});
