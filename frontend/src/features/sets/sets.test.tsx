// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { sendForm } from "@/api/form";
import type { ItemSet, ItemSetDetail, Run, SetScores } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { SetPage } from "./SetPage";
import { SetsPage } from "./SetsPage";

vi.mock("@/api/form", () => ({ sendForm: vi.fn() }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.mocked(sendForm).mockReset();
});

const text = (words: string) => ({ "zh-Hans": words, "zh-Hant": words, en: words });
const version = (no: number, language: string) => ({ no, language, reading: "paper" as const, shots: false });
const asks: ItemSetDetail["asks"] = {
  name: "cvqa",
  language: "en",
  profiles: ["cvqa-mcq/paper", "cvqa-mcq/generated"],
  has_dialogues: false,
  settings: [
    { name: "located", means: ["likelihood", "text"], prompts: [{ type: "", name: "cvqa-located", versions: [version(1, "en"), version(1, "zh-Hans"), version(2, "en")] }] },
    { name: "plain", means: ["likelihood", "text"], prompts: [{ type: "", name: "cvqa-plain", versions: [version(1, "en")] }] },
  ],
};
const row = (part: Partial<ItemSet>): ItemSet => ({
  id: 4,
  origin: "file",
  release: null,
  name: "CVQA 的中文部分",
  suite: "cvqa",
  state: "ready",
  fault: null,
  size: 1200,
  pictures: 300,
  sides: ["content", "en"],
  digest: "0".repeat(64),
  gold: { name: "cvqa.jsonl", bytes: 1000, sha256: "1" },
  zip: { name: "pictures.zip", bytes: 2000, sha256: "2" },
  dialogues: null,
  job: null,
  created_by: { id: 1, name: "Li Lei" },
  created_at: "2026-11-27T08:00:00Z",
  ...part,
});
const score = (run: number, value: number, part: Partial<SetScores> = {}): SetScores => ({
  run,
  system: { slug: `s${run}`, name: `System ${run}`, revision: "1", description: text(""), is_demo: false },
  manner: { setting: "located", means: "likelihood", side: "en", language: "en", prompt: 1, scale: "1/2", shots: 0 },
  text_only: null,
  settings: {},
  n_expected: 1200,
  n_scored: 1190,
  n_missing: 0,
  n_unparsable: 0,
  n_refused: 0,
  n_failed: 10,
  cost: null,
  reports: ["cvqa-mcq/paper"],
  overrides: 0,
  corrected: [],
  metrics: [{ profile: "cvqa-mcq/paper", metric: "accuracy", value, low: value - 0.02, high: value + 0.02, n: 1200, chance: null }],
  computed_at: "2026-11-27T08:00:00Z",
  ...part,
});
const run = (part: Partial<Run>): Run => ({
  id: 8,
  system: { slug: "s8", name: "System 8", revision: "1", description: text(""), is_demo: false },
  suite: "cvqa",
  release: null,
  set: { id: 4, name: "CVQA 的中文部分", origin: "file" },
  manner: { setting: "plain", means: "similarity", side: "content", language: "en", prompt: 1, scale: "1", shots: 0 },
  state: "open",
  status: "running",
  silent_s: null,
  expected: 1200,
  done: 300,
  failed: 0,
  refused: 0,
  cost: null,
  per_minute: null,
  seconds_left: null,
  last_error: null,
  errors: [],
  worker: { alive: true, last_seen: null, workers: 1 },
  round: 0,
  started_by: { id: 1, name: "Li Lei" },
  created_at: "2026-11-27T08:00:00Z",
  updated_at: "2026-11-27T08:00:00Z",
  available_actions: ["run_pause", "run_cancel"],
  ...part,
});
const session = { body: { person: { id: 1 }, benchmarks: [{ slug: "x", operations: ["set_list", "set_create", "set_show", "set_run_start", "set_run_plan", "run_list", "run_show"], kinds: [], roles: [] }] } };

function served(sets: ItemSet[], more: Parameters<typeof serve>[0] = {}) {
  return serve({
    "GET /api/v1/session": session,
    "GET /api/v1/benchmarks/x/sets": { body: { sets, suites: [asks, { ...asks, name: "vqa" }, { ...asks, name: "dialogue", has_dialogues: true }], limit_bytes: 1_000_000, available_actions: ["set_create", "set_run_start"] } },
    "GET /api/v1/sets/4": { body: { ...row({}), asks, examples: [], available_actions: ["set_run_start"] } },
    "GET /api/v1/sets/4/scores": { body: [score(8, 0.61), score(7, 0.5)] },
    "GET /api/v1/benchmarks/x/runs": { body: [] },
    "GET /api/v1/systems": {
      body: [
        { slug: "encoder", name: "Encoder", state: "ready", is_demo: false, server: "", capabilities: ["embed"] },
        { slug: "tiny", name: "Tiny model", state: "ready", is_demo: true, server: "big", capabilities: ["generate", "likelihood"] },
        { slug: "far", name: "Far model", state: "not_fetched", is_demo: false, server: "", capabilities: ["generate"] },
      ],
    },
    ...more,
  });
}

const openList = () => renderScreen(<SetsPage />, { at: "/b/x/sets", path: "/b/:slug/sets" });
const openSet = () => renderScreen(<SetPage />, { at: "/b/x/sets/4", path: "/b/:slug/sets/:setId" });

test("lists the sets, and says why the files of one are refused", async () => {
  const fault = { code: "picture_missing", file: "cvqa.jsonl", line: 0, field: "image", expected: "6.jpg", params: { more: 2 } } as const;
  served([row({}), row({ id: 5, state: "refused", size: 0, fault })]);
  await openList();
  const first = await screen.findByTestId("set-4");
  expect(within(first).getByRole("link").getAttribute("href")).toBe("/b/x/sets/4");
  expect(within(first).getAllByRole("cell").map((cell) => cell.textContent).slice(1, 4)).toEqual(["ready", "1,200", "300"]);
  expect(screen.getByTestId("set-fault").textContent).toBe("The picture 6.jpg (and 2 more) is not among the files of cvqa.jsonl. Add it and make the set again.");
});

test("the sentence of a refused picture is that of its error", async () => {
  const params = { found: "text", allowed: ["JPEG", "PNG"] };
  served([row({ state: "refused", fault: { code: "picture_refused", file: "", line: 0, field: "a.png", expected: "image_type_refused", params } })]);
  await openList();
  const sentence = (await screen.findByTestId("set-fault")).textContent;
  expect(sentence).toContain("The picture a.png was rejected.");
  expect(sentence).toContain("This file type (text) is not supported. Nothing was saved; use JPEG or PNG.");
});

test("what a file should have is said in the reader's language, with a field or without", async () => {
  const fault = { code: "wrong_row", file: "vqa.json", line: 3, field: "id", expected: "an id, text or a whole number", params: {} } as const;
  served([
    row({ state: "refused", fault }),
    row({ id: 5, state: "refused", fault: { ...fault, field: "", expected: "the right answer of 7_0; a file that withholds right answers can be answered, not scored" } }),
    row({ id: 6, state: "refused", fault: { ...fault, code: "wrong_file", line: 0, field: "", expected: "something new" } }),
  ]);
  await renderScreen(<SetsPage />, { at: "/b/x/sets", path: "/b/:slug/sets", language: "zh-Hans" });
  expect((await screen.findAllByTestId("set-fault")).map((one) => one.textContent)).toEqual([
    "vqa.json 第 3 行，字段 id：应为 id，文字或整数。没有保存任何题目；请改正文件后重新建立。",
    "vqa.json 第 3 行：应为 7_0 的正确答案（不含正确答案的文件无法评分）。没有保存任何题目；请改正文件后重新建立。",
    "无法读取 vqa.json：应为 something new。没有保存任何题目；请改正文件后重新建立。",
  ]);
});

test("a set that is read shows the progress, and one whose reading failed why", async () => {
  const job = { id: 1, kind: "evaluation.read_item_set", state: "running", done: 40, total: 301, error_code: null, error_params: {}, created_at: "", finished_at: null } as const;
  served([
    row({ state: "waiting", job }),
    row({ id: 5, state: "waiting", job: { ...job, state: "queued", total: null, error_code: "storage_full", error_params: { needed: null } } }),
    row({ id: 6, state: "waiting", job: { ...job, state: "failed", error_code: "internal_error" } }),
  ]);
  await openList();
  const read = within(await screen.findByTestId("set-4"));
  expect(read.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("40");
  expect(read.getByText("40 of 301")).toBeTruthy();
  expect(within(screen.getByTestId("set-5")).getByTestId("wait-reason").dataset.code).toBe("storage_full");
  expect(within(screen.getByTestId("set-6")).getByText("not read")).toBeTruthy();
});

test("what is missing in the form gets the focus, and nothing is sent", async () => {
  const server = served([]);
  await openList();
  const user = userEvent.setup();
  await user.click(await screen.findByTestId("new-set"));
  await user.click(screen.getByTestId("set-send"));
  expect(document.activeElement).toBe(screen.getByTestId("set-name"));
  expect(screen.getByText("Type a name.")).toBeTruthy();
  await user.type(screen.getByTestId("set-name"), "𠮷题集");
  await user.click(screen.getByTestId("set-send"));
  expect(document.activeElement?.textContent).toBe("Choose the file of questions.");
  expect(server.asked.some(({ method }) => method === "POST")).toBe(false);
});

async function filled(user: ReturnType<typeof userEvent.setup>, name: string) {
  await openList();
  await user.click(await screen.findByTestId("new-set"));
  await user.type(screen.getByTestId("set-name"), name);
  await user.selectOptions(screen.getByTestId("set-suite"), "vqa");
  await user.upload(screen.getByTestId("set-gold-file"), new File(["[]"], "gold.json"));
  await user.upload(screen.getByTestId("set-pictures-file"), new File(["PK"], "pictures.zip"));
}

test("a double click sends the files once, with one key", async () => {
  let answer: (row: never) => void = () => undefined;
  vi.mocked(sendForm).mockReturnValue(new Promise((resolve) => (answer = resolve)));
  served([]);
  await filled(userEvent.setup(), "CVLUE");
  const send = screen.getByTestId("set-send");
  send.focus();
  fireEvent.click(send);
  fireEvent.click(send);
  await waitFor(() => expect(send.getAttribute("aria-busy")).toBe("true"));
  fireEvent.click(send);
  expect(document.activeElement).toBe(send);
  expect(vi.mocked(sendForm)).toHaveBeenCalledTimes(1);
  const [operation, { body }, progress] = vi.mocked(sendForm).mock.calls[0] ?? ([] as never);
  expect(operation).toBe("set_create");
  const fields = Object.fromEntries([...(body as FormData)].map(([name, value]) => [name, value instanceof File ? value.name : value]));
  expect(fields).toMatchObject({ name: "CVLUE", suite: "vqa", gold: "gold.json", pictures: "pictures.zip" });
  expect(fields.client_key).toMatch(/^[\da-f-]{36}$/);
  act(() => progress(0.5));
  expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("0.5");
  answer(row({ id: 6 }) as never);
  expect(await screen.findByTestId("elsewhere")).toBeTruthy();
});

test("a file of texts is sent with dialogues alone", async () => {
  vi.mocked(sendForm).mockReset().mockRejectedValue(new ApiError(503, "storage_unavailable", {}));
  served([]);
  const user = userEvent.setup();
  await filled(user, "CVLUE");
  const sent = () => [...((vi.mocked(sendForm).mock.calls.at(-1)?.[1].body as FormData | undefined)?.keys() ?? [])];
  expect(screen.queryByTestId("set-dialogues")).toBeNull();
  await user.selectOptions(screen.getByTestId("set-suite"), "dialogue");
  await user.upload(screen.getByTestId("set-dialogues-file"), new File(["{}"], "dialogs.json"));
  await user.click(screen.getByTestId("set-send"));
  await waitFor(() => expect(sent()).toContain("dialogues"));
  await user.selectOptions(screen.getByTestId("set-suite"), "vqa");
  await user.click(screen.getByTestId("set-send"));
  await waitFor(() => expect(vi.mocked(sendForm)).toHaveBeenCalledTimes(2));
  expect(sent()).not.toContain("dialogues");
});

test("a name that is taken is said at the field, which gets the focus and keeps what was typed", async () => {
  vi.mocked(sendForm).mockRejectedValue(new ApiError(409, "set_name_taken", { name: "CVLUE" }));
  served([]);
  const user = userEvent.setup();
  await filled(user, "CVLUE");
  await user.click(screen.getByTestId("set-send"));
  const name = screen.getByTestId<HTMLInputElement>("set-name");
  await waitFor(() => expect(document.activeElement).toBe(name));
  expect(name.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText(/already an item set named CVLUE/)).toBeTruthy();
  await user.type(name, " 2");
  expect(name.value).toBe("CVLUE 2");
  expect(name.getAttribute("aria-invalid")).toBeNull();
  expect(screen.getByTestId("set-gold-chosen").textContent).toContain("gold.json");
});

test("files that are too large are not sent", async () => {
  const server = served([]);
  await openList();
  const user = userEvent.setup();
  await user.click(await screen.findByTestId("new-set"));
  await user.type(screen.getByTestId("set-name"), "A");
  await user.upload(screen.getByTestId("set-gold-file"), new File(["{}"], "gold.json"));
  await user.upload(screen.getByTestId("set-pictures-file"), new File(["x".repeat(1_000_001)], "pictures.zip"));
  await user.click(screen.getByTestId("set-send"));
  expect(screen.getByText(/may have at most/)).toBeTruthy();
  expect(document.activeElement?.textContent).toMatch(/may have at most/);
  expect(server.asked.some(({ method }) => method === "POST")).toBe(false);
});

test("shows the scores, the best first, with the setting in words and the files", async () => {
  served([]);
  await openSet();
  const best = await screen.findByTestId("score-8");
  expect(screen.getAllByTestId(/^score-\d+$/).map((one) => one.dataset.testid)).toEqual(["score-8", "score-7"]);
  expect(within(best).getByRole("rowheader").textContent).toBe(
    "System 8with the country · the likelihood of each option · English translation · prompt in English · pictures scaled by 1/2SamplesFiles of System 8 Files ▾",
  );
  expect(best.textContent).toContain("61.0%59.0% – 63.0%");
  expect(screen.queryByRole("columnheader", { name: "Files" })).toBeNull();
  await userEvent.click(screen.getByTestId("files-8"));
  expect((await screen.findByTestId("predictions-8")).getAttribute("href")).toBe("/api/v1/runs/8/predictions");
  expect(screen.getByText("Report: as in the paper").closest("a")?.getAttribute("href")).toBe("/api/v1/runs/8/report?profile=cvqa-mcq%2Fpaper");
});

test("a run that people corrected has both figures and both reports, with the number of overrides", async () => {
  const corrected = [{ profile: "cvqa-mcq/paper", metric: "accuracy", value: 0.625, low: 0.6, high: 0.65, n: 1200, chance: null }];
  served([], { "GET /api/v1/sets/4/scores": { body: [score(8, 0.61, { overrides: 2, corrected }), score(7, 0.5)] } });
  await openSet();
  const one = within(await screen.findByTestId("score-8"));
  expect(one.getByTestId("corrected-figure").textContent).toBe("62.5% with overrides");
  expect(one.getByTestId("samples-8").parentElement?.textContent).toBe("Samples · 2 overrides");
  expect(one.getByText("2 overrides").getAttribute("href")).toBe("/b/x/runs/8/samples?overridden=true");
  const other = within(screen.getByTestId("score-7"));
  expect(other.queryByTestId("corrected-figure")).toBeNull();
  expect(other.getByTestId("samples-7").getAttribute("href")).toBe("/b/x/runs/7/samples");
  const user = userEvent.setup();
  await user.click(one.getByTestId("files-8"));
  const withOverrides = await screen.findByText("With overrides: as in the paper");
  expect(withOverrides.closest("a")?.getAttribute("href")).toBe("/api/v1/runs/8/report?profile=cvqa-mcq%2Fpaper&overrides=true");
  await user.keyboard("{Escape}");
  await user.click(other.getByTestId("files-7"));
  await screen.findByTestId("predictions-7");
  expect(screen.queryByText(/^With overrides/)).toBeNull();
});

test("metrics that are no shares are shown as numbers, each below its profile", async () => {
  const metric = { low: null, high: null, n: 3, chance: null };
  const metrics = [
    { ...metric, profile: "cvqa-mcq/paper", metric: "accuracy", value: 0.5 },
    { ...metric, profile: "cvqa-mcq/paper", metric: "bias rate", value: 1875 },
    { ...metric, profile: "cvqa-mcq/generated", metric: "score", value: null },
  ];
  served([], { "GET /api/v1/sets/4/scores": { body: [score(8, 0, { metrics })] } });
  await openSet();
  const cells = within(await screen.findByTestId("score-8")).getAllByRole("cell");
  expect(cells.slice(0, 3).map((cell) => cell.textContent)).toEqual(["50.0%", "1,875.0", "–"]);
  const heads = within(screen.getByTestId("set-scores")).getAllByRole("columnheader");
  expect(heads.slice(1, 3).map((head) => [head.textContent, (head as HTMLTableCellElement).colSpan])).toEqual([
    ["as in the paper", 2],
    ["letters read from replies", 1],
  ]);
});

test("the runs over a set show their progress and setting, those that go on first", async () => {
  const ended = [1, 2, 3, 4, 5, 6].map((id) => run({ id, status: "done", done: 1200, available_actions: [] }));
  const server = served([], {
    "GET /api/v1/benchmarks/x/runs": { body: [...ended, run({ id: 9 })] },
    "POST /api/v1/runs/9/pause": { body: run({ id: 9, status: "paused" }) },
  });
  await openSet();
  const [first, ...others] = within(await screen.findByTestId("set-runs-list")).getAllByTestId("run-s8-set-4");
  if (first === undefined) throw new Error("no runs");
  expect(within(first).getByTestId("run-done").textContent).toBe("300 / 1,200");
  expect(within(first).getByText("plain · similarity to the picture · own language")).toBeTruthy();
  expect(others).toHaveLength(5);
  expect(screen.getByText("All 7 runs").getAttribute("href")).toBe("/b/x/runs?set=4");
  await userEvent.click(within(first).getByTestId("run-pause"));
  await waitFor(() => expect(server.asked.some(({ path }) => path === "/api/v1/runs/9/pause")).toBe(true));
  expect(server.asked.find(({ path }) => path === "/api/v1/benchmarks/x/runs")?.query.get("item_set")).toBe("4");
});
