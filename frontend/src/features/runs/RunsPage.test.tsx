import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { Run } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Failures } from "./Failures";
import { RunsPage } from "./RunsPage";

afterEach(() => vi.unstubAllGlobals());

const text = (words: string) => ({ "zh-Hans": words, "zh-Hant": words, en: words });
const run = (part: Partial<Run>): Run => ({
  id: 7,
  system: { slug: "tiny", name: "Tiny encoder", revision: "1", description: text("Small."), is_demo: true },
  suite: "retrieval",
  release: { id: 3, label: "captions-v1" },
  set: { id: 1, name: "captions-v1", origin: "release" },
  manner: { setting: "both", means: "similarity", side: "content", language: "zh-Hans", prompt: null, scale: "1", shots: 0 },
  state: "open",
  status: "running",
  silent_s: null,
  expected: 120,
  done: 90,
  failed: 2,
  refused: 0,
  cost: null,
  per_minute: 42.5,
  seconds_left: 65,
  last_error: null,
  errors: [{ code: "image_undecodable", n: 2 }],
  worker: { alive: true, last_seen: "2026-11-20T08:00:00Z", workers: 2 },
  round: 0,
  started_by: { id: 1, name: "Li Lei" },
  created_at: "2026-11-20T08:00:00Z",
  updated_at: "2026-11-20T08:00:00Z",
  available_actions: ["run_pause", "run_cancel"],
  ...part,
});
const accepted: Pick<Run, "release" | "set"> = { release: null, set: { id: 2, name: "", origin: "rolling" } };
const OPERATIONS = ["run_list", "run_show", "run_start", "run_pause", "run_cancel", "release_list", "leaderboard_show", "set_show"];
const releases = [
  { id: 3, label: "captions-v1", kinds: ["captions"], state: "frozen", frozen_at: "2026-11-19T08:00:00Z", images: 24, items: 24 },
  { id: 4, label: "captions-v2", kinds: ["captions"], state: "draft", frozen_at: null, images: 30, items: 30 },
];

function served(runs: Run[], listed: readonly object[] = releases) {
  return serve({
    "GET /api/v1/session": { body: { person: { id: 1 }, benchmarks: [{ slug: "x", operations: OPERATIONS, kinds: ["captions"], roles: [] }] } },
    "GET /api/v1/benchmarks/x": { body: { protocol: { content: { evaluation: { suites: ["retrieval"] } } }, categories: [] } },
    "GET /api/v1/benchmarks/x/runs": { body: runs },
    "GET /api/v1/benchmarks/x/releases": { body: { results: listed, next: null, total: listed.length, total_is_capped: false } },
    "GET /api/v1/systems": {
      body: [
        { slug: "far", name: "Far encoder", state: "not_fetched", is_demo: false, server: "" },
        { slug: "tiny", name: "Tiny encoder", state: "ready", is_demo: true, server: "big" },
      ],
    },
    "POST /api/v1/benchmarks/x/runs": { status: 201, body: run({ id: 9 }) },
    "POST /api/v1/runs/7/pause": { body: run({ status: "paused", state: "paused" }) },
    "POST /api/v1/runs/7/cancel": { body: run({ status: "cancelled", state: "cancelled" }) },
  });
}

const open = (at = "/b/x/runs") => renderScreen(<RunsPage />, { at, path: "/b/:slug/runs" });

test("a run tells how far it is, how fast, how long it takes, and what failed", async () => {
  served([run({})]);
  await open();
  const card = within(await screen.findByTestId("run-tiny-captions-v1"));
  expect(card.getByTestId("run-done").textContent).toBe("90 / 120");
  expect(card.getByText("30 to go · 43 per minute · about 1 min 5 sec left · 2 failed · 2 workers")).toBeTruthy();
  expect(card.getByText("running")).toBeTruthy();
  expect(card.getByText("demo only")).toBeTruthy();
  expect(card.queryByText(/No worker/)).toBeNull();
});

test("what is done over a release cannot be held or stopped, what follows acceptance can; failures are no answers", async () => {
  const done = { status: "done", expected: 5, done: 5, failed: 2, available_actions: ["run_pause", "run_cancel", "run_retry"] } as const;
  served([run({ ...done, available_actions: [...done.available_actions] }), run({ ...done, ...accepted, id: 8, failed: 0, available_actions: [...done.available_actions] })]);
  await open();
  const over = within(await screen.findByTestId("run-tiny-captions-v1"));
  expect(over.queryByTestId("run-pause")).toBeNull();
  expect(over.queryByTestId("run-cancel")).toBeNull();
  expect(over.getByTestId("run-retry").textContent).toContain("2");
  expect(over.getByText("All tried · 2 failed")).toBeTruthy();
  const following = within(screen.getByTestId("run-tiny"));
  expect(following.getByTestId("run-pause")).toBeTruthy();
  expect(following.getByText("All answered")).toBeTruthy();
});

test("silence and a missing worker have different notices", async () => {
  served([run({ ...accepted, status: "silent", silent_s: 95, available_actions: [] }), run({ id: 8, status: "no_worker" })]);
  await open();
  const silent = within(await screen.findByTestId("run-tiny"));
  expect(silent.getByText("not responding for 1 min 35 sec")).toBeTruthy();
  expect(silent.getByTestId("silent").textContent).toContain("finished answers are kept");
  expect(silent.queryByTestId("run-pause")).toBeNull();
  expect(within(screen.getByTestId("run-tiny-captions-v1")).getByTestId("no-worker").textContent).toContain("continues automatically");
});

test("pausing is one press, cancelling asks for confirmation", async () => {
  const { asked } = served([run({})]);
  await open();
  await userEvent.click(await screen.findByTestId("run-pause"));
  await userEvent.click(screen.getByTestId("run-cancel"));
  const writes = () => asked.filter(({ method }) => method === "POST").map(({ path }) => path);
  expect(writes()).toEqual(["/api/v1/runs/7/pause"]);
  await userEvent.click(screen.getByTestId("run-cancel-confirm"));
  await waitFor(() => expect(writes()).toEqual(["/api/v1/runs/7/pause", "/api/v1/runs/7/cancel"]));
});

test("the address narrows the list to a state", async () => {
  served([run({}), run({ ...accepted, id: 8, status: "done" })]);
  await open("/b/x/runs?state=ended");
  expect(await screen.findByTestId("run-tiny")).toBeTruthy();
  expect(screen.queryByTestId("run-tiny-captions-v1")).toBeNull();
  expect(screen.getByTestId("filter-active").textContent).toBe("In progress 1");
});

test("a release whose kind no suite reads is not offered, and its own link leads to submitting predictions", async () => {
  const { asked } = served([run({})], [...releases, { ...releases[0], id: 5, label: "vqa-v1", kinds: ["vqa"] }]);
  await open("/b/x/runs?start=1&release=5");
  const panel = within(await screen.findByTestId("start-panel"));
  const link = await panel.findByRole("link", { name: "Submit predictions" });
  expect(link.getAttribute("href")).toBe("/b/x/releases/5/submissions");
  expect(panel.getByText(/No suite of the protocol asks systems about the items of vqa-v1/)).toBeTruthy();
  expect(panel.queryByTestId("start-confirm")).toBeNull();
  expect(asked.filter(({ method }) => method === "POST")).toEqual([]);
});

test("only releases that a suite reads are listed", async () => {
  served([run({})], [{ ...releases[0], id: 5, label: "vqa-v1", kinds: ["vqa"] }, ...releases]);
  await open("/b/x/runs?start=1");
  const choice = within(await screen.findByTestId("start-release"));
  expect(choice.getAllByRole("option").map((option) => option.textContent)).toEqual(["captions-v1 (24 pictures)"]);
});

test("a run is started with a system that is ready, over a frozen release", async () => {
  const { asked } = served([]);
  const { router } = await open();
  const [begin] = await screen.findAllByTestId("start-run");
  if (begin) await userEvent.click(begin);
  const system = await screen.findByTestId("start-system");
  const options = within(system).getAllByRole<HTMLOptionElement>("option");
  expect(options.map((option) => [option.textContent, option.disabled])).toEqual([
    ["Far encoder (not downloaded)", true],
    ["Tiny encoder", false],
  ]);
  expect(within(screen.getByTestId("start-release")).getAllByRole("option").map((option) => option.textContent)).toEqual(["captions-v1 (24 pictures)"]);
  expect(screen.getByTestId("start-sent").textContent).toContain("are sent to the model server big");
  await userEvent.click(screen.getByTestId("start-confirm"));
  await waitFor(() => expect(router.state.location.pathname).toBe("/b/x/runs/9"));
  expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({ system: "tiny", suite: "retrieval", release: 3 });
});

test("a run over a set leads to the set, and says how its questions are asked", async () => {
  const manner = { setting: "direct", means: "text", side: "en", language: "en", prompt: 1, scale: null, shots: 0 };
  served([run({ id: 8, release: null, set: { id: 4, name: "TCC", origin: "file" }, manner })]);
  await open();
  const card = within(await screen.findByTestId("run-tiny-set-4"));
  expect(card.getByRole("link", { name: "on TCC" }).getAttribute("href")).toBe("/b/x/sets/4");
  expect(card.getByText("direct answer · a written reply · English translation · prompt in English · without pictures")).toBeTruthy();
});

test("failures are described as chips and row by row", async () => {
  const row = { item: { id: 5, label: "C-5" }, revision_no: 1, variant: "caption-0", code: "input_too_long", message: "8193 tokens", round: 0 };
  const image = { id: 6, label: "P-6", thumb_url: "" };
  serve({ "GET /api/v1/runs/7/failures": { body: { results: [{ ...row, image }], next: null, total: 1, total_is_capped: false } } });
  const failed = { ...run({ errors: [{ code: "input_too_long", n: 1 }] }), settings: {}, environment: {}, chunks: { queued: 0, running: 0, done: 1, failed: 0 } };
  await renderScreen(<Failures run={failed} slug="x" />, { at: "/b/x/runs/7", path: "/b/:slug/runs/:runId" });
  expect((await screen.findByTestId("failure-rows")).textContent).toContain("too long");
  expect(screen.getByTestId("error-input_too_long").textContent).toBe("too long 1");
  expect(screen.getByTestId("failures").textContent).not.toContain("input_too_long");
});

test("without a worker the page shows when one was last seen", async () => {
  const now = new Date().toISOString();
  served([run({ status: "no_worker", worker: { alive: false, last_seen: now, workers: 0 } })]);
  await open();
  expect((await screen.findByTestId("no-worker")).textContent).toMatch(/Last seen at .*\d\d?:\d\d/);
});
