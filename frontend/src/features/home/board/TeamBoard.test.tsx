import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Answer } from "@/api/request";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { TeamBoard } from "./TeamBoard";

afterEach(() => vi.unstubAllGlobals());

const name = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const board: Answer<"board_show"> = {
  stall_days: 3,
  kinds: [
    {
      kind: "captions",
      items: { todo: 17, made: 0, skipped: 2, returned: 0, accepted: 50, excluded: 0 },
      packages: {
        available: { n: 4, oldest_at: null, stalled: 0 },
        working: { n: 5, oldest_at: "2026-11-10T08:00:00Z", stalled: 2 },
        passed: { n: 9, oldest_at: "2026-11-01T08:00:00Z", stalled: 0 },
      },
      accepted: 50,
      target: 200,
    },
  ],
  pictures: {
    accepted: 90,
    minimum: 40,
    categories: [
      { slug: "lion", name: name("Lion dance"), n: 60, minimum: 40, target: 80 },
      { slug: "tea", name: name("Tea"), n: 30, minimum: 40, target: 80 },
    ],
  },
  seats: [{ purpose: "review", kind: "captions", free: 7, held: 3, done: 20 }],
};

async function open(body: Answer<"board_show">, replies: Parameters<typeof serve>[0] = {}) {
  const operations = ["package_build", "pool_show", "team_statistics"];
  serve({
    ...replies,
    "GET /api/v1/session": { body: { person: { id: 1 }, benchmarks: [{ slug: "x", operations, kinds: ["captions"], roles: [] }] } },
    "GET /api/v1/benchmarks/x/board": { body },
  });
  await renderScreen(<TeamBoard slug="x" />, { at: "/b/x", path: "/b/:slug" });
  await screen.findByTestId("board-pictures");
}

test("categories without a picture fold up where they are many", async () => {
  const empty = (n: number) => Array.from({ length: n }, (_, i) => ({ slug: `c${i}`, name: name(`Category ${i}`), n: 0, minimum: 40, target: 80 }));
  await open({ ...board, pictures: { ...board.pictures, categories: [...board.pictures.categories, ...empty(90)] } });
  const fold = screen.getByTestId<HTMLDetailsElement>("board-empty-categories");
  expect([fold.open, fold.querySelector("summary")?.textContent]).toEqual([false, "90 categories without a picture"]);
  expect([fold.contains(screen.getByTestId("quota-c89")), fold.contains(screen.getByTestId("quota-tea"))]).toEqual([true, false]);
});

test("a few categories without a picture are listed with the others", async () => {
  const none = { slug: "kite", name: name("Kite"), n: 0, minimum: 40, target: 80 };
  await open({ ...board, pictures: { ...board.pictures, categories: [...board.pictures.categories, none] } });
  expect(screen.queryByTestId("board-empty-categories")).toBeNull();
  expect(screen.getByTestId("quota-kite")).toBeTruthy();
});

test("every count leads to what it counts, and what stalls stands out", async () => {
  await open(board);
  const working = screen.getByTestId("board-captions-working");
  expect([...working.querySelectorAll("a")].map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["5", "/b/x/packages?kind=captions&state=working"],
    ["2 stalled", "/b/x/packages?kind=captions&state=working&stalled=true"],
  ]);
  expect(working.querySelector("p")?.title).toMatch(/^oldest /);
  expect(screen.getByTestId("board-captions-passed").querySelector("p")).toBeNull();
  expect(screen.getByTestId("stalled").textContent).toBe("2 packages stalled for 3 days or more");
  expect(screen.getByText("17").getAttribute("href")).toBe("/b/x/items?kind=captions&state=todo");
  expect(screen.getByText("50 / 200 accepted")).toBeTruthy();
});

test("the category furthest behind its quota comes first", async () => {
  await open(board);
  const rows = [...screen.getByTestId("board-pictures").querySelectorAll("li")];
  expect(rows.map((row) => row.textContent)).toEqual(["Tea30 / 80at least 10 more needed", "Lion dance60 / 80"]);
  expect(screen.getByText(/Categories complete: 1 of 2/)).toBeTruthy();
});

test("before there are packages it says what will stand here and how to begin", async () => {
  await open({ ...board, kinds: [], seats: [] });
  expect(screen.getByTestId("empty").textContent).toContain("No packages yet");
  expect((await screen.findByText("Build packages")).getAttribute("href")).toBe("/b/x/packages?build=1");
});

test("where each team has a target, the row leads to the teams' progress", async () => {
  const protocol = { content: { kinds: { captions: { track: "peer" } } } };
  const [row] = board.kinds;
  await open({ ...board, kinds: row ? [{ ...row, packages: {}, target: null }] : [] }, { "GET /api/v1/benchmarks/x": { body: { protocol, categories: [] } } });
  expect((await screen.findByText("by team")).getAttribute("href")).toBe("/b/x/quality?kind=captions");
});

test("a benchmark whose teams accept each other's items has no packages to build", async () => {
  const protocol = { content: { kinds: { captions: { track: "peer" } } } };
  const seats = (["review", "peer"] as const).map((purpose) => ({ purpose, kind: "captions", free: 7, held: 3, done: 20 }));
  await open({ ...board, kinds: [], seats }, { "GET /api/v1/benchmarks/x": { body: { protocol, categories: [] } } });
  await vi.waitFor(() => expect(screen.queryByTestId("empty")).toBeNull());
  expect(screen.getByText("Review").getAttribute("href")).toBe("/b/x/pools/review?kind=captions");
  expect(screen.getByText("Validation").tagName).toBe("TH");
});
