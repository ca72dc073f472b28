// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { ItemSetDetail, RunCell, RunPlan, SetScores } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { SetPage } from "./SetPage";

afterEach(() => vi.unstubAllGlobals());

const version = (no: number, language: string, shots = false) => ({ no, language, reading: "paper" as const, shots });
const set: ItemSetDetail = {
  id: 4,
  origin: "file",
  release: null,
  name: "CVQA",
  suite: "cvqa",
  state: "ready",
  fault: null,
  size: 1200,
  pictures: 300,
  sides: ["content", "en"],
  digest: "0".repeat(64),
  gold: { name: "cvqa.jsonl", bytes: 1000, sha256: "1" },
  zip: null,
  dialogues: null,
  job: null,
  created_by: { id: 1, name: "Li Lei" },
  created_at: "2026-11-27T08:00:00Z",
  asks: {
    name: "cvqa",
    language: "en",
    profiles: ["cvqa-mcq/paper"],
    has_dialogues: false,
    settings: [
      { name: "located", means: ["likelihood", "text"], prompts: [{ type: "", name: "cvqa-located", versions: [version(1, "en"), version(2, "en"), version(1, "zh-Hans")] }] },
      { name: "plain", means: ["likelihood", "text"], prompts: [{ type: "", name: "cvqa-plain", versions: [version(1, "en")] }] },
    ],
  },
  examples: [],
  available_actions: ["set_run_start"],
};
const cell = (part: Partial<RunCell> = {}): RunCell => ({
  system: "tiny",
  name: "Tiny model",
  setting: "located",
  means: "text",
  side: "content",
  language: "en",
  prompt: 1,
  scale: "1",
  shots: 0,
  state: "start",
  run: null,
  questions: 1200,
  cost: "0",
  currency: null,
  seconds: 90,
  reason: null,
  ...part,
});
const blocked = (code: string, params: Record<string, unknown> = {}) => cell({ state: "blocked", reason: { code, params } });
const plan = (cells: RunCell[], part: Partial<RunPlan> = {}): RunPlan => {
  const starting = cells.filter(({ state }) => state === "start");
  return { cells, starts: starting.length, questions: starting.length * 1200, costs: [], seconds: 5400, ...part };
};
const system = (slug: string, name: string, capabilities: string[], more = {}) => ({ slug, name, state: "ready", is_demo: false, server: "", capabilities, ...more });

function served(answer: RunPlan, more: Parameters<typeof serve>[0] = {}) {
  return serve({
    "GET /api/v1/session": { body: { person: { id: 1 }, benchmarks: [{ slug: "x", operations: ["set_show", "set_run_start", "set_run_plan", "run_list"], kinds: [], roles: [] }] } },
    "GET /api/v1/sets/4": { body: set },
    "GET /api/v1/sets/4/scores": { body: [] },
    "GET /api/v1/benchmarks/x/runs": { body: [] },
    "GET /api/v1/systems": {
      body: [
        system("tiny", "Tiny model", ["generate"]),
        system("large", "Large", ["generate", "likelihood"], { server: "big" }),
        system("detector", "Detector", ["ground"]),
        system("far", "Far model", ["generate"], { state: "not_fetched" }),
      ],
    },
    "POST /api/v1/sets/4/run-plans": { body: answer },
    "POST /api/v1/sets/4/runs": { status: 201, body: { runs: [{ id: 9 }, { id: 10 }], created: 2 } },
    ...more,
  });
}

async function opened(language: "en" | "zh-Hans" = "en") {
  await renderScreen(<SetPage />, { at: "/b/x/sets/4?start=1", path: "/b/:slug/sets/:setId", language });
  await screen.findByTestId("grid-systems");
  return userEvent.setup();
}
const box = (id: string) => screen.getByTestId<HTMLInputElement>(id);
const bodies = (server: ReturnType<typeof serve>, path: string) => server.asked.filter((one) => one.method === "POST" && one.path.endsWith(path)).map(({ body }) => body as Record<string, unknown>);

test("offers what can answer, and begins with one usual cell", async () => {
  const server = served(plan([cell()]));
  await opened();
  expect(within(screen.getByTestId("grid-systems")).getAllByRole("checkbox")).toHaveLength(2);
  expect(box("grid-systems-tiny").checked).toBe(true);
  await screen.findByTestId("grid-totals");
  expect(bodies(server, "run-plans")[0]).toEqual({ systems: ["tiny"], settings: ["located"], means: [], sides: ["content"], languages: [], prompts: [], pictures: ["1"], shots: [], examples: null, seed: 0, again: false });
});

test("every tick is planned, and the button says and starts what the table has", async () => {
  const server = served(plan([cell(), cell({ scale: null }), blocked("run_cell_repeats")], { costs: [{ currency: "USD", cost: "14.2", left: "20" }] }));
  const user = await opened();
  await user.click(box("grid-systems-large"));
  await user.click(box("grid-settings-plain"));
  await user.click(box("grid-pictures-none"));
  expect(screen.getByText(/are sent to the model server big/)).toBeTruthy();
  await waitFor(() => expect(bodies(server, "run-plans").at(-1)).toMatchObject({ systems: ["tiny", "large"], settings: ["located", "plain"], pictures: ["1", "none"] }));
  const totals = await screen.findByTestId("grid-totals");
  await waitFor(() => expect(totals.textContent).toBe("2 runs · 2,400 questions · at most 14.2 USD of 20 left · about 1 hr 30 min · 1 cannot start"));
  const rows = screen.getAllByTestId("grid-cell");
  expect(rows.map((row) => row.dataset.state)).toEqual(["start", "start", "blocked"]);
  expect(rows[1]?.textContent).toContain("without pictures");
  expect(rows[2]?.textContent).toContain("Another of these runs asks the same in the same way.");
  const button = screen.getByTestId("set-run-confirm");
  await waitFor(() => expect(button.getAttribute("aria-busy")).not.toBe("true"));
  expect(button.textContent).toBe("Start 2 runs");
  await user.click(button);
  await waitFor(() => expect(bodies(server, "/runs")).toHaveLength(1));
  expect(bodies(server, "/runs")[0]).toMatchObject({ ...bodies(server, "run-plans").at(-1), client_key: expect.stringMatching(/^[\da-f-]{36}$/) as string });
  // Several runs stay on the page, where their progress is.
  await waitFor(() => expect(screen.queryByTestId("start-set-panel")).toBeNull());
});

test("examples come from another set by a seed, where a prompt has a text for them", async () => {
  const asks = { ...set.asks, settings: set.asks.settings.map((one) => ({ ...one, prompts: [{ type: "", name: "p", versions: [version(1, "en"), version(2, "en", one.name === "plain")] }] })) };
  const examples = [
    { id: 8, name: "dev", size: 40 },
    { id: 7, name: "train", size: 90 },
  ];
  const server = served(plan([cell({ shots: 3 })]), { "GET /api/v1/sets/4": { body: { ...set, asks, examples } } });
  const user = await opened();
  expect(screen.queryByTestId("grid-shots")).toBeNull();
  await user.click(box("grid-settings-plain"));
  expect(screen.queryByTestId("grid-examples")).toBeNull();
  await user.click(box("grid-shots-0"));
  await user.click(box("grid-shots-3"));
  expect([screen.getByTestId("grid-examples"), screen.getByTestId("grid-seed")].map((one) => [one.className, (one as HTMLInputElement).labels?.[0]?.textContent])).toEqual([
    ["input", "Examples from"],
    ["input", "Seed of the draw"],
  ]);
  await user.selectOptions(screen.getByTestId("grid-examples"), "train");
  await user.clear(screen.getByTestId("grid-seed"));
  await user.type(screen.getByTestId("grid-seed"), "7");
  await waitFor(() => expect(bodies(server, "run-plans").at(-1)).toMatchObject({ shots: [0, 3], examples: 7, seed: 7 }));
  expect(screen.getAllByTestId("grid-cell")[0]?.textContent).toContain("3 examples before each question");
  // Where no chosen setting takes examples, none is sent.
  await user.click(box("grid-settings-plain"));
  await waitFor(() => expect(bodies(server, "run-plans").at(-1)).toMatchObject({ settings: ["located"], shots: [] }));
});

test("one run leads to its page", async () => {
  served(plan([cell()]), { "POST /api/v1/sets/4/runs": { status: 201, body: { runs: [{ id: 9 }], created: 1 } } });
  const user = await opened();
  const button = await screen.findByTestId("set-run-confirm");
  await waitFor(() => expect(button.textContent).toBe("Start 1 run"));
  await user.click(button);
  expect(await screen.findByTestId("elsewhere")).toBeTruthy();
});

test.each([
  ["run_needs_worker", { queue: "gpu" }, "No worker is running that could answer. Start a worker of the queue gpu; the runs can then be started."],
  ["model_not_offered", { model: "m", server: "big" }, "The model m on big cannot be called. The site owner adds models and their prices."],
  ["run_needs_budget", { system: "large", currency: "USD" }, "Replies of large cost money in USD, and this benchmark has no budget in it. The site owner can set one under Model calls."],
])("what is missing takes the button's place: %s", async (code, params, sentence) => {
  const server = served(plan([blocked(code, params), blocked(code, params)]));
  await opened();
  expect((await screen.findByTestId("grid-nothing")).textContent).toBe(sentence);
  expect(screen.queryByTestId("set-run-confirm")).toBeNull();
  expect(bodies(server, "/runs")).toHaveLength(0);
});

test("beside what cannot start it says that the rest is there", async () => {
  served(plan([blocked("run_asks_nothing"), cell({ state: "paused", run: 8 })]));
  await opened();
  expect((await screen.findByTestId("grid-nothing")).textContent).toBe("The set has no questions that this setting asks. The others are there already.");
});

test("what is there already leads to its run, and is repeated only on request", async () => {
  const server = served(plan([cell({ state: "closed", run: 7 }), cell({ state: "open", run: 8 })]));
  const user = await opened();
  expect((await screen.findByTestId("grid-nothing")).textContent).toBe("All of these runs are there already. Tick another choice.");
  expect(screen.getByText("ended: run 7").getAttribute("href")).toBe("/b/x/runs/7");
  expect(screen.getByText("there already: run 8").getAttribute("href")).toBe("/b/x/runs/8");
  await user.click(box("grid-again"));
  await waitFor(() => expect(bodies(server, "run-plans").at(-1)).toMatchObject({ again: true }));
});

test("without a system nothing is planned or started", async () => {
  const server = served(plan([cell()]));
  const user = await opened();
  await screen.findByTestId("grid-totals");
  const before = bodies(server, "run-plans").length;
  await user.click(box("grid-systems-tiny"));
  expect(screen.getByText("Tick at least one system.")).toBeTruthy();
  expect(screen.queryByTestId("set-run-confirm")).toBeNull();
  expect(bodies(server, "run-plans")).toHaveLength(before);
});

test("a choice that the settings do not have any more is left out", async () => {
  const server = served(plan([cell()]));
  const user = await opened();
  await user.click(box("grid-languages-zh-Hans"));
  await user.click(box("grid-settings-plain"));
  await user.click(box("grid-settings-located"));
  await waitFor(() => expect(bodies(server, "run-plans").at(-1)).toMatchObject({ settings: ["plain"], languages: [] }));
  expect(screen.queryByTestId("grid-languages")).toBeNull();
});

const score = (run: number, name: string, value: number, manner: Partial<SetScores["manner"]> = {}): SetScores => ({
  run,
  system: { slug: name, name, revision: "1", description: { "zh-Hans": "", "zh-Hant": "", en: "" }, is_demo: false },
  manner: { setting: "located", means: "text", side: "content", language: "en", prompt: 1, scale: "1", shots: 0, ...manner },
  text_only: null,
  settings: {},
  n_expected: 1200,
  n_scored: 1200,
  n_missing: 0,
  n_unparsable: 0,
  corrected: [],
  overrides: 0,
  n_refused: 0,
  n_failed: 0,
  cost: null,
  reports: ["cvqa-mcq/paper"],
  metrics: [{ profile: "cvqa-mcq/paper", metric: "accuracy", value, low: null, high: null, n: 1200, chance: null }],
  computed_at: "2026-11-27T08:00:00Z",
});

test("a run with pictures has its text-only twin beside it, and the matrix every system in every setting", async () => {
  const scores = [{ ...score(1, "a", 0.6), text_only: 5 }, score(2, "a", 0.4, { scale: null }), score(3, "b", 0.5), score(4, "b", 0.3, { setting: "plain", scale: null }), score(5, "a", 0.45, { scale: null })];
  served(plan([]), { "GET /api/v1/sets/4/scores": { body: scores } });
  await renderScreen(<SetPage />, { at: "/b/x/sets/4", path: "/b/:slug/sets/:setId" });
  const first = await screen.findByTestId("score-1");
  expect(within(first).getAllByRole("cell")[0]?.textContent).toBe("60.0%text only 45.0%");
  expect(within(screen.getByTestId("score-3")).getAllByRole("cell")[0]?.textContent).toBe("50.0%");
  const rows = within(screen.getByTestId("set-matrix-table")).getAllByRole("row").slice(1);
  expect(rows.map((row) => within(row).getAllByRole("cell").map((one) => one.textContent))).toEqual([
    ["–", "30.0%"], // plain
    ["60.0%", "50.0%"],
    ["45.0%", "–"],
  ]);
});

test("one system or one setting needs no matrix", async () => {
  served(plan([]), { "GET /api/v1/sets/4/scores": { body: [score(1, "a", 0.6), score(2, "a", 0.4, { scale: null })] } });
  await renderScreen(<SetPage />, { at: "/b/x/sets/4", path: "/b/:slug/sets/:setId" });
  await screen.findByTestId("score-1");
  expect(screen.queryByTestId("set-matrix-table")).toBeNull();
});
