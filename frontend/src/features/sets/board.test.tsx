// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { ProfileBoard, SystemsCompared } from "@/api/types";
import { SetBoard } from "./SetBoard";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { pairOf } from "@/board/pair";

afterEach(() => vi.unstubAllGlobals());

const name = (words: string) => ({ "zh-Hans": words, "zh-Hant": words, en: words });
const manner = { setting: "located", means: "text", side: "content", language: "en", prompt: 1, scale: "1", shots: 0 };
const figure = (value: number, low: number | null = null) => ({ scope: "", metric: "accuracy", value, low, high: low === null ? null : 0.9, n: 8, chance: 0.25 });
const group = (code: string, n: number) => ({ group_by: "pair" as const, group: code, name: name(code), n, chance: 0.25 });
type Row = ProfileBoard["rows"][number];
const row = (run: number, value: number, part: Partial<Row> = {}): Row => ({
  key: `run-${run}`,
  run,
  submission: null,
  system: `System ${run}`,
  crew: "",
  manner,
  is_demo: false,
  is_comparable: true,
  has_samples: true,
  figure: figure(value, 0.4),
  text_only: null,
  groups: [figure(value), null],
  ...part,
});
const file = (stem: string, ending: string) => ({ name: `${stem}.${ending}`, url: `/api/v1/sets/4/board/${stem}.${ending}?profile=p` });
const board: ProfileBoard = {
  profiles: ["cvqa-mcq/paper", "cvqa-mcq/generated"],
  profile: "cvqa-mcq/paper",
  metric: "accuracy",
  tags: ["category", "pair"],
  tag: "pair",
  chance: 0.25,
  groups: [group("Chinese - China", 8), group("Japanese - Japan", 4)],
  n_groups: 2,
  least_group: 20,
  rows: [row(8, 0.75, { text_only: 0.3 }), row(7, 0.5, { system: "System 8", manner: { ...manner, scale: null } }), row(3, 0.25, { key: "submission-3", run: null, submission: 3, manner: null, crew: "Team", is_comparable: false, has_samples: false })],
  n_rows: 60,
  charts: ["leaderboard", "groups-pair", "groups-category"].flatMap((stem) => ["csv", "svg"].map((ending) => file(stem, ending))),
};
const compared: SystemsCompared = {
  n: 12, images: 6, both: 4, only_one: 4, only_other: 1, neither: 3, difference: 0.25, low: 0.05, high: 0.5, p: 0.03, method: "exact-sign-flip-over-clusters", interval: "bootstrap-percentile",
};

async function open() {
  const server = serve({
    "GET /api/v1/session": { body: { person: { id: 1 }, benchmarks: [{ slug: "x", operations: ["prediction_list", "set_board"], kinds: [], roles: [] }] } },
    "GET /api/v1/sets/4/board": { body: board },
    "GET /api/v1/sets/4/comparison": { body: compared },
  });
  await renderScreen(<SetBoard set={4} />, { at: "/b/x/sets/4", path: "/b/:slug/sets/:setId" });
  return server;
}

test("groups are lines and rows are columns, each figure with its interval and the level of guessing", async () => {
  await open();
  const table = within(await screen.findByTestId("profile-groups"));
  const texts = (id: string) => within(table.getByTestId(id)).getAllByRole("cell").map((cell) => cell.textContent);
  expect(texts("profile-all")).toEqual(["", "25.0%", "75.0%40.0% – 90.0%text only 30.0%", "50.0%40.0% – 90.0%", "25.0%40.0% – 90.0%"]);
  expect(texts("group-Chinese - China")).toEqual(["8", "25.0%", "75.0%no interval", "50.0%no interval", "25.0%no interval"]);
  expect(texts("group-Japanese - Japan")).toEqual(["4", "25.0%", "—", "—", "—"]);
  const [first, second] = within(table.getByTestId("group-Chinese - China")).getAllByRole("link");
  expect([first, second].map((link) => link?.getAttribute("href"))).toEqual([8, 7].map((run) => `/b/x/runs/${run}/samples?tag=pair&value=Chinese+-+China`));
  expect(screen.getByTestId("chance").textContent).toBe("Guessing reaches 25.0%.");
  expect(screen.getByText(/rows: the best 3 of 60/)).toBeTruthy();
  expect(screen.getByText("Answers are withheld: groups of fewer than 20 answers are left out.")).toBeTruthy();
});

test("two rows are compared, and the counts lead to the samples", async () => {
  const server = await open();
  const result = within(await screen.findByTestId("compared"));
  const asked = server.asked.find(({ path }) => path === "/api/v1/sets/4/comparison");
  expect([asked?.query.get("one"), asked?.query.get("other")]).toEqual(["run-8", "run-7"]);
  expect(result.getByText(/^Questions answered by both: 12/).textContent).toContain("66.7%");
  expect(result.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["4", "/b/x/runs/8/samples?against=7&than=better"],
    ["1", "/b/x/runs/7/samples?against=8&than=better"],
  ]);
  // What has no results by question is not offered, and equal names come with how they were asked.
  const options = within(screen.getByTestId("row-one")).getAllByRole("option").map((option) => option.textContent);
  expect(options).toEqual(["System 8 (run-8)", "System 8 (without pictures)"]);
});

test("another tag and another profile are read anew, and charts are those of the tag", async () => {
  const server = await open();
  await userEvent.click(await screen.findByTestId("tag-category"));
  await waitFor(() => expect(server.asked.some(({ query }) => query.get("tag") === "category")).toBe(true));
  await userEvent.selectOptions(screen.getByTestId("profile"), "cvqa-mcq/generated");
  await waitFor(() => expect(server.asked.some(({ query }) => query.get("profile") === "cvqa-mcq/generated" && query.get("tag") === null)).toBe(true));
  expect(screen.getByTestId("chart-groups-pair").textContent).toContain("By group: Country and language");
  expect(screen.queryByTestId("chart-groups-category")).toBeNull();
});

test("the pair is that of the address, else the best two", () => {
  const named = (values: Record<string, string>) => pairOf(board, { get: (one) => values[one] });
  expect(named({})).toEqual({ one: "run-8", other: "run-7" });
  expect(named({ row_one: "run-7" })).toEqual({ one: "run-7", other: "run-8" });
  expect(named({ row_other: "run-8" })).toEqual({ one: "run-7", other: "run-8" });
  expect(named({ row_one: "submission-3" })).toEqual({ one: "run-8", other: "run-7" });
  expect(pairOf({ ...board, rows: board.rows.slice(0, 1) }, { get: () => undefined })).toBeNull();
  expect(pairOf(undefined, { get: () => undefined })).toBeNull();
});
