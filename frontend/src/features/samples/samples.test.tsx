// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { Prediction, PredictionFilters, PredictionRow } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { useKeyListener } from "@/ui/keys/useActions";
import { SamplePage } from "./SamplePage";
import { SamplesPage } from "./SamplesPage";

afterEach(() => vi.unstubAllGlobals());

const text = (words: string) => ({ "zh-Hans": words, "zh-Hant": words, en: words });
const system = (run: number) => ({ slug: `s${run}`, name: `System ${run}`, revision: "1", description: text(""), is_demo: false });
const manner = { setting: "direct", means: "text", side: "content", language: "zh-Hans", prompt: 1, scale: "1", shots: 0 };
const result = (part: Partial<Prediction["result"]> = {}): Prediction["result"] => ({ outcome: "unparsed", value: 0, extracted: "", rule: "", ...part });
const row = (part: Partial<PredictionRow>): PredictionRow => ({
  ...result(),
  no: 1,
  key: "q1",
  text: "第1题？𠮷",
  right: "A",
  is_overridden: false,
  corrected: null,
  ...part,
});
const facts: PredictionFilters = {
  run: 7,
  system: system(7),
  manner,
  set: { id: 4, name: "TCC", origin: "file" as const },
  profile: "tcc-mcq/paper",
  outcomes: [
    { outcome: "right", n: 1200 },
    { outcome: "unparsed", n: 3 },
  ],
  tags: [{ name: "domain", values: [{ value: "Diet", n: 2 }, { value: "Music", n: 1 }] }],
  runs: [{ run: 9, system: system(9), manner }],
  overrides: 0,
};
const sample: Prediction = {
  run: { run: 7, system: system(7), manner },
  set: { id: 4, name: "TCC", origin: "file" as const },
  profile: "tcc-mcq/paper",
  no: 2,
  key: "q2",
  tags: { domain: "Diet" },
  text: "第2题？",
  options: [
    { name: "A", text: "茶", is_right: false },
    { name: "B", text: "酒", is_right: true },
  ],
  right: "B",
  picture: { name: "1.jpg", url: "/api/v1/sets/4/pictures/1", width: 40, height: 30 },
  messages: [{ role: "user", parts: [{ picture: true, text: "" }, { picture: false, text: "第2题？\nA. 茶" }] }],
  reply: {
    outcome: "answered",
    pieces: [
      { text: "想了想，", is_read: false },
      { text: "A", is_read: true },
    ],
    is_cut: false,
    candidates: [],
    tokens_in: 10,
    tokens_out: 4,
    error: "",
  },
  result: result({ outcome: "wrong", extracted: "A", rule: "announced" }),
  corrected: null,
  overrides: [],
  form: { expects: "letter", letters: "AB", maximum: 500 },
  others: [{ run: 9, system: system(9), manner, result: result({ outcome: "right", value: 1, extracted: "B" }), corrected: null, text: "B" }],
  previous: 1,
  next: 3,
  available_actions: ["prediction_override"],
};

function served(more: Parameters<typeof serve>[0] = {}) {
  return serve({
    "GET /api/v1/session": { body: { person: { id: 1 }, benchmarks: [{ slug: "x", operations: ["prediction_list", "prediction_show"], kinds: [], roles: [] }] } },
    "GET /api/v1/runs/7/samples/filters": { body: facts },
    "GET /api/v1/runs/7/samples": { body: { results: [row({}), row({ no: 2, key: "q2", outcome: "right", extracted: "A", rule: "line" })], next: null, total: 2, total_is_capped: false } },
    "GET /api/v1/runs/7/samples/2": { body: sample },
    "GET /api/v1/runs/7/samples/3": { body: { ...sample, no: 3, key: "q3", text: "第3题？", previous: 2, next: null } },
    "POST /api/v1/runs/7/samples/2/override": { status: 201, body: sample },
    ...more,
  });
}

function WithKeys() {
  useKeyListener();
  return <SamplePage />;
}

const openList = (search = "") => renderScreen(<SamplesPage />, { at: `/b/x/runs/7/samples${search}`, path: "/b/:slug/runs/:runId/samples" });
const openOne = (search = "") => renderScreen(<WithKeys />, { at: `/b/x/runs/7/samples/2${search}`, path: "/b/:slug/runs/:runId/samples/:no" });
const asked = (server: ReturnType<typeof serve>, path: string) => server.asked.filter((one) => one.path === path).at(-1);

test("lists the entries with what was read, by which rule, and the right answer", async () => {
  served();
  await openList("?outcome=right");
  const cells = within(await screen.findByTestId("sample-q2")).getAllByRole("cell");
  expect(cells.map((cell) => cell.textContent)).toEqual(["第1题？𠮷q2", "right", "A", "A", "line that begins with the word for “answer”"]);
  expect(within(screen.getByTestId("sample-q2")).getByRole("link").getAttribute("href")).toBe("/b/x/runs/7/samples/2?outcome=right");
  expect(screen.getByTestId("outcome-right").textContent).toBe("right 1,200");
});

test("filters by outcome, a tag with its value, and another run", async () => {
  const server = served();
  await openList();
  const user = userEvent.setup();
  await user.click(await screen.findByTestId("outcome-unparsed"));
  await user.selectOptions(screen.getByTestId("sample-tag"), "domain");
  await user.selectOptions(await screen.findByTestId("sample-value"), "Music");
  await user.selectOptions(screen.getByTestId("sample-against"), "9");
  await user.selectOptions(await screen.findByTestId("sample-than"), "worse");
  await waitFor(() =>
    expect(Object.fromEntries(asked(server, "/api/v1/runs/7/samples")?.query ?? [])).toMatchObject({ outcome: "unparsed", tag: "domain", value: "Music", against: "9", than: "worse" }),
  );
  await user.click(screen.getByTestId("filter-none"));
  await waitFor(() => expect(asked(server, "/api/v1/runs/7/samples")?.query.get("outcome")).toBeNull());
});

test("runs to compare with are named by what tells them apart, the same settings by their number", async () => {
  const runs = [
    { run: 9, system: system(7), manner: { ...manner, shots: 1 } },
    { run: 10, system: system(7), manner: { ...manner, shots: 3, scale: null } },
    { run: 11, system: system(7), manner: { ...manner, shots: 3, scale: null } },
    { run: 12, system: system(12), manner },
  ];
  served({ "GET /api/v1/runs/7/samples/filters": { body: { ...facts, runs } } });
  await openList();
  const options = within(await screen.findByTestId("sample-against")).getAllByRole("option").map((one) => one.textContent);
  expect(options.slice(1)).toEqual([
    "System 7 (1 example before each question)",
    "System 7 (without pictures · 3 examples before each question · run-10)",
    "System 7 (without pictures · 3 examples before each question · run-11)",
    "System 12",
  ]);
});

test("the set of accepted work has no name of its own and is named after what it holds", async () => {
  served({ "GET /api/v1/runs/7/samples/filters": { body: { ...facts, set: { id: 4, name: "", origin: "rolling" } } } });
  await openList();
  const toSet = await screen.findByTestId("to-set");
  expect(toSet.textContent).toBe("Accepted work");
  // On a line of its own, so that no separator ends the system's.
  expect(toSet.closest("span")?.parentElement?.textContent).toBe("System 7Accepted workdirect answer · a written reply · own language · prompt in Simplified Chinese");
});

test("a list without rows and a run without scores say so", async () => {
  served({
    "GET /api/v1/runs/7/samples": { body: { results: [], next: null, total: 0, total_is_capped: false } },
  });
  await openList("?outcome=failed");
  expect(await screen.findByText("No samples match")).toBeTruthy();
});

test("shows a run that was not scored", async () => {
  served({ "GET /api/v1/runs/7/samples/filters": { status: 409, body: { code: "run_not_scored_yet", params: {} } } });
  await openList();
  expect(await screen.findByText(/has not been scored yet/)).toBeTruthy();
});

test("one entry: the prompt, the reply with the part that was read marked, and the other runs", async () => {
  served();
  await openOne();
  expect((await screen.findByTestId("raw")).innerHTML).toBe("<span>想了想，</span><mark>A</mark>");
  expect(screen.getByTestId("as-read").textContent).toBe("Aby the rule “announced answer”");
  expect(screen.getByTestId("prompt").textContent).toContain("第2题？\nA. 茶");
  expect(within(screen.getByTestId("options")).getAllByRole("listitem").map((one) => one.dataset.right)).toEqual(["false", "true"]);
  expect(screen.getByTestId("other-9").textContent).toContain("right");
  expect(screen.queryByTestId("corrected")).toBeNull();
});

test("candidates are bars with their shares", async () => {
  const candidates = [
    { name: "A", text: "茶", measured: -1, share: 0.25, is_right: false, is_best: false },
    { name: "B", text: "酒", measured: -0.5, share: 0.75, is_right: true, is_best: true },
  ];
  served({ "GET /api/v1/runs/7/samples/2": { body: { ...sample, form: null, available_actions: [], reply: { ...sample.reply, pieces: [], candidates } } } });
  await openOne();
  const bars = await screen.findByTestId("candidates");
  expect(within(bars).getAllByRole("listitem").map((one) => one.textContent)).toEqual(["A茶25.0% · −1.000", "B酒75.0% · −0.500right answer"].map((one) => one.replaceAll("−", "-")));
  expect(bars.querySelectorAll<HTMLElement>("[style]")[0]?.style.width).toMatch(/^33/);
  expect(screen.queryByTestId("open-override")).toBeNull();
});

test("J and K step through the samples under the same filters, U returns to the list", async () => {
  served();
  const { router } = await openOne("?outcome=wrong");
  await screen.findByTestId("raw");
  await userEvent.keyboard("j");
  await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe("/b/x/runs/7/samples/3?outcome=wrong"));
  await screen.findByText("第3题？");
  await userEvent.keyboard("k");
  await waitFor(() => expect(router.state.location.pathname).toBe("/b/x/runs/7/samples/2"));
  await userEvent.keyboard("u");
  await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe("/b/x/runs/7/samples?outcome=wrong"));
});

test("O overrides with an answer and a reason; without them nothing is sent", async () => {
  const server = served();
  await openOne();
  await screen.findByTestId("raw");
  const user = userEvent.setup();
  await userEvent.keyboard("o");
  await user.click(await screen.findByTestId("override-send"));
  expect(screen.getByText("Give a reason.")).toBeTruthy();
  expect(screen.getByText(/Choose or type the answer/)).toBeTruthy();
  expect(server.asked.some(({ method }) => method === "POST")).toBe(false);
  await user.click(screen.getByTestId("override-B"));
  await user.type(screen.getByTestId("override-reason"), "看得很清楚");
  await user.click(screen.getByTestId("override-send"));
  await waitFor(() => expect(screen.queryByTestId("override-dialog")).toBeNull());
  const { body } = server.asked.find(({ method }) => method === "POST") ?? {};
  expect(body).toMatchObject({ answer: "B", reason: "看得很清楚" });
});

test("an answer that is rejected keeps what was typed, and no answer can be chosen", async () => {
  const server = served({
    "GET /api/v1/runs/7/samples/2": { body: { ...sample, form: { expects: "letters", letters: "ABCD", maximum: 500 } } },
    "POST /api/v1/runs/7/samples/2/override": { status: 422, body: { code: "override_no_letters", params: { letters: "A, B, C, D" } } },
  });
  await openOne();
  const user = userEvent.setup();
  await user.click(await screen.findByTestId("open-override"));
  await user.type(screen.getByTestId("override-answer"), "AE");
  await user.type(screen.getByTestId("override-reason"), "x");
  await user.click(screen.getByTestId("override-send"));
  expect(await screen.findByText(/must consist of the letters A, B, C, D/)).toBeTruthy();
  expect(screen.getByTestId<HTMLInputElement>("override-answer").value).toBe("AE");
  await user.click(screen.getByTestId("override-none"));
  await user.click(screen.getByTestId("override-send"));
  await waitFor(() => expect(server.asked.filter(({ method }) => method === "POST").at(-1)?.body).toMatchObject({ answer: null }));
});

test("an override that is not scored yet says so, and one that is shows both results", async () => {
  const overrides = [{ id: 1, answer: "B", reason: "看得很清楚", person: { id: 1, name: "Li Lei" }, created_at: "2026-11-27T08:00:00Z" }];
  served({ "GET /api/v1/runs/7/samples/2": { body: { ...sample, overrides } } });
  await openOne();
  expect(await screen.findByRole("status")).toBeTruthy();
  served({ "GET /api/v1/runs/7/samples/2": { body: { ...sample, overrides, corrected: result({ outcome: "right", value: 1, extracted: "B", rule: "override" }) } } });
  await renderScreen(<SamplePage />, { at: "/b/x/runs/7/samples/2", path: "/b/:slug/runs/:runId/samples/:no", language: "zh-Hant" });
  expect((await screen.findByTestId("corrected")).textContent).toBe("B正確");
});
