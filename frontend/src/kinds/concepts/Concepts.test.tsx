import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { Finding, RulesOf } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { choiceTree, text } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { useKeyListener } from "@/ui/keys/useActions";
import type { Content } from "../kind";
import { multipleChoice } from "../multiple_choice/view";
import { PictureCategory } from "../PictureCategory";

const rules: RulesOf<"multiple_choice"> = {
  kind: "multiple_choice",
  content: choiceTree(2, [], text(), text({ lang: "en", language: "translation" })),
  options: 2,
  explanation: false,
  drafting: null,
  blind_trials: null,
  concept_in_question: "forbidden",
  flags: [],
  human_checks: [],
  review_reasons: [],
  skip_reasons: [],
};
const both = (local: string, translated: string) => ({ local, translated });
const written: Content = {
  category: "",
  question: both("朱雀守护哪里？", "What does the Vermilion Bird guard?"),
  options: [both("南", "South"), both("北", "North")],
};
const leak = (side: "local" | "translated", start: number, end: number, put: string): Finding => {
  const field = `question.${side}`;
  const spans = [{ field, start, end }];
  return { code: "concept_in_question", field, severity: "error", overridable: false, params: { concept: "朱雀", put }, spans };
};
const leaks = [leak("local", 0, 2, "图中的神兽"), leak("translated", 14, 28, "the mythical creature in the picture")];
const bird = {
  ...{ id: 7, local: "朱雀", translated: "Vermilion Bird", aliases: ["南方之神"], noun_local: "神兽", noun_translated: "mythical creature" },
  ...{ explanation: "四象之一", mine: true, created_at: "2026-11-28T09:00:00Z", available_actions: ["concept_retire"] },
};
const listed = (concepts: unknown[], available_actions = ["concept_add"]) => ({ body: { concepts, available_actions } });

afterEach(() => vi.unstubAllGlobals());

interface DeskProps {
  findings: Finding[];
  of: RulesOf<"multiple_choice">;
  onChange: (content: Content) => void;
}

function Desk({ findings, of, onChange }: DeskProps) {
  const [content, setContent] = useState(written);
  const [field, setField] = useState("question.local");
  const [itemId, setItemId] = useState(1);
  useKeyListener();
  const change = (next: Content) => {
    setContent(next);
    onChange(next);
  };
  const editor = { itemId, content, rules: of, reasons: {}, field, onField: setField, onReason: vi.fn() };
  return (
    <PictureCategory of={{ image: { id: 40, category: null } }}>
      <multipleChoice.Editor {...editor} findings={findings} onChange={change} />
      <button type="button" aria-label="tea" data-testid="choose-tea" onClick={() => setContent({ ...content, category: "tea" })} />
      <button type="button" aria-label="next" data-testid="open-next" onClick={() => setItemId(2)} />
    </PictureCategory>
  );
}

async function open(replies: Parameters<typeof serve>[0], findings: Finding[] = [], of = rules) {
  const server = serve(replies);
  const onChange = vi.fn<(content: Content) => void>();
  await renderScreen(<Desk findings={findings} of={of} onChange={onChange} />);
  const sent = () => server.asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body]);
  return { server, sent, onChange, keys: userEvent.setup({ delay: null }) };
}

test("a concept is written down in both languages, and the text is looked at again", async () => {
  let concepts: unknown[] = [];
  const { keys, sent, onChange } = await open({
    "GET /api/v1/images/40/concepts": () => listed(concepts),
    "POST /api/v1/images/40/concepts": () => {
      concepts = [bird];
      return { status: 201, ...listed(concepts) };
    },
  });
  await screen.findByText(/None yet/);
  await keys.click(screen.getByTestId("concept-open"));
  expect(document.activeElement).toBe(screen.getByTestId("concept-local"));
  await keys.click(screen.getByTestId("concept-add"));
  expect([screen.getByText("Write its name.").className, sent()]).toEqual(["wrong", []]);
  await keys.type(screen.getByTestId("concept-local"), "朱雀");
  await keys.type(screen.getByTestId("concept-translated"), "Vermilion Bird");
  await keys.type(screen.getByTestId("concept-noun_local"), "神兽");
  await keys.type(screen.getByTestId("concept-aliases"), "南方之神、 朱鸟；,");
  expect(await axeFaults()).toEqual([]);
  await keys.click(screen.getByTestId("concept-add"));
  const row = await screen.findByTestId("concept");
  expect(row.textContent).toContain("朱雀 · Vermilion Bird · 南方之神");
  expect(sent()).toMatchObject([
    [
      "/api/v1/images/40/concepts",
      { local: "朱雀", translated: "Vermilion Bird", noun_local: "神兽", noun_translated: "", aliases: ["南方之神", "朱鸟"], explanation: "" },
    ],
  ]);
  expect(onChange.mock.lastCall).toEqual([written]);
  expect(screen.queryByTestId("concept-form")).toBeNull();
});

test.each([
  ["local", "朱".repeat(81), "𠮷".repeat(80), "At most 80 characters."],
  ["noun_local", "神".repeat(81), "神兽", "At most 80 characters."],
  ["explanation", "四".repeat(1_001), "四象之一", "At most 1,000 characters."],
  ["aliases", `朱鸟，${"朱".repeat(81)}`, "朱鸟，朱雀", "At most 80 characters."],
  ["aliases", "朱，".repeat(21), "朱，".repeat(20), "At most 20 other names."],
])("what is too long gets a message at its field and is not sent: %s", async (name, long, short, sentence) => {
  const { keys, sent } = await open({
    "GET /api/v1/images/40/concepts": listed([]),
    "POST /api/v1/images/40/concepts": { status: 201, ...listed([bird]) },
  });
  await keys.click(await screen.findByTestId("concept-open"));
  const write = (value: string) => fireEvent.change(screen.getByTestId(`concept-${name}`), { target: { value } });
  fireEvent.change(screen.getByTestId("concept-local"), { target: { value: "朱雀" } });
  write(long);
  await keys.click(screen.getByTestId("concept-add"));
  expect([screen.getByTestId(`concept-${name}`).getAttribute("aria-invalid"), screen.getByText(sentence).className, sent()]).toEqual(["true", "wrong", []]);
  write(short);
  await keys.click(screen.getByTestId("concept-add"));
  await waitFor(() => expect(sent()).toHaveLength(1));
});

/** Holds back the answers to writes until they are released. */
function holdWrites() {
  const answers: (() => void)[] = [];
  const served = globalThis.fetch;
  const held: typeof fetch = async (address, init) => {
    if (init?.method === "POST") await new Promise<void>((resolve) => answers.push(resolve));
    return served(address, init);
  };
  vi.stubGlobal("fetch", vi.fn(held));
  return () => answers.splice(0).forEach((release) => release());
}

test("what is typed while a concept is being added stays", async () => {
  const { keys, onChange } = await open({
    "GET /api/v1/images/40/concepts": listed([]),
    "POST /api/v1/images/40/concepts": { status: 201, ...listed([bird]) },
  });
  const release = holdWrites();
  await keys.click(await screen.findByTestId("concept-open"));
  await keys.type(screen.getByTestId("concept-local"), "朱雀");
  await keys.click(screen.getByTestId("concept-add"));
  fireEvent.change(screen.getByTestId("question-local"), { target: { value: "它守护哪里？" } });
  await waitFor(() => {
    release();
    expect(screen.queryByTestId("concept-form")).toBeNull();
  });
  expect(onChange).toHaveBeenCalledTimes(2);
  expect(onChange.mock.lastCall?.[0]).toMatchObject({ question: { local: "它守护哪里？" } });
});

test("what was typed stays when the server does not take it", async () => {
  const twice = { status: 409, body: { code: "concept_twice", params: { name: "朱雀" }, detail: "" } };
  const { keys } = await open({ "GET /api/v1/images/40/concepts": listed([bird]), "POST /api/v1/images/40/concepts": twice });
  await keys.click(await screen.findByTestId("concept-open"));
  await keys.type(screen.getByTestId("concept-local"), "朱雀");
  await keys.click(screen.getByTestId("concept-add"));
  expect((await screen.findByTestId("problem")).textContent).toContain("already has a concept named 朱雀");
  expect(screen.getByTestId<HTMLInputElement>("concept-local").value).toBe("朱雀");
});

test("one key replaces the concept in both languages", async () => {
  const { onChange } = await open({ "GET /api/v1/images/40/concepts": listed([bird]) }, leaks);
  await screen.findByTestId("concepts-replace");
  expect(screen.getAllByTestId("finding-concept_in_question").map(({ textContent }) => textContent)).toEqual([
    "Names the concept 朱雀",
    "Names the concept 朱雀",
  ]);
  const question = screen.getByTestId("question-local");
  fireEvent.keyDown(question, { key: "r", code: "KeyR", altKey: true, isComposing: true });
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.keyDown(question, { key: "®", code: "KeyR", altKey: true });
  expect(onChange.mock.lastCall?.[0]).toEqual({
    ...written,
    question: both("图中的神兽守护哪里？", "What does the mythical creature in the picture guard?"),
  });
});

test("a concept is removed by who may", async () => {
  const other = { ...bird, id: 8, local: "青龙", available_actions: [] };
  const { keys, sent } = await open({
    "GET /api/v1/images/40/concepts": listed([bird, other]),
    "POST /api/v1/concepts/7/retire": (asked: Asked) => ({ ...listed([other]), asked }),
  });
  await screen.findByText("青龙");
  await keys.click(screen.getByTestId("concept-retire"));
  await waitFor(() => expect(sent().map(([path]) => path)).toEqual(["/api/v1/concepts/7/retire"]));
});

test("who only reads is offered nothing, and where the question may name them there are none", async () => {
  await open({ "GET /api/v1/images/40/concepts": listed([{ ...bird, available_actions: [] }], []) });
  await screen.findByTestId("concept");
  expect([screen.queryByTestId("concept-open"), screen.queryByTestId("concept-retire"), screen.queryByTestId("concepts-replace")]).toEqual([null, null, null]);
});

test("where the protocol allows names, concepts are not asked for", async () => {
  const { server } = await open({}, [], { ...rules, concept_in_question: "allowed" });
  expect([screen.queryByTestId("concepts"), server.asked]).toEqual([null, []]);
});

// --- Drafts

const drafted: RulesOf<"multiple_choice"> = { ...rules, drafting: { model: "m", prompt: "tcc-draft", candidates_minimum: 3 } };
const candidate = (no: number, changes = {}) => ({
  no,
  content: {
    question: both(`第${String(no)}种神兽守护哪里？`, `What does creature ${String(no)} guard?`),
    options: [both("南方", "South"), both("北方", "North")],
    explanation: both("它守护南方。", "It guards the south."),
  },
  ...{ fate: null, reason: null, item: null, item_id: null },
  ...changes,
});
const drafting = (changes = {}) => ({
  ...{ id: 5, concept: "朱雀", state: "done", error_code: null, error_params: {}, limited_until: null, mine: true },
  ...{ created_at: "2026-11-28T09:00:00Z", candidates: [candidate(0), candidate(1)] },
  ...changes,
});
const draftings = (rows: unknown[], worker_alive = true) => ({
  body: { draftings: rows, worker_alive, available_actions: ["drafting_request", "candidate_use", "candidate_discard"] },
});
const CONCEPTS = { "GET /api/v1/images/40/concepts": listed([bird]) };
const DRAFTS = "GET /api/v1/images/40/draftings";

test("questions are drafted from a concept, and one takes the place of what was written after a question", async () => {
  let rows: unknown[] = [];
  const { keys, sent, onChange } = await open(
    {
      ...CONCEPTS,
      [DRAFTS]: () => draftings(rows),
      "POST /api/v1/images/40/draftings": () => {
        rows = [drafting()];
        return { status: 201, ...draftings(rows) };
      },
      "POST /api/v1/draftings/5/use": () => {
        rows = [drafting({ candidates: [candidate(0, { fate: "used", item: "mcq-000001", item_id: 1 }), candidate(1)] })];
        return draftings(rows);
      },
    },
    [],
    drafted,
  );
  await keys.click(await screen.findByTestId("concept-draft"));
  const [first] = await screen.findAllByTestId("candidate");
  expect(first?.textContent).toContain("What does creature 0 guard?");
  expect(await axeFaults()).toEqual([]);
  if (first) await keys.click(within(first).getByTestId("candidate-use"));
  expect(onChange).not.toHaveBeenCalled();
  await keys.click(screen.getByTestId("candidate-replace"));
  expect((await screen.findByTestId("candidate-fate")).textContent).toBe("Used for mcq-000001 · 第0种神兽守护哪里？");
  expect(sent()).toMatchObject([
    ["/api/v1/images/40/draftings", { concept: 7 }],
    ["/api/v1/draftings/5/use", { no: 0, item: 1 }],
  ]);
  // The tree has no explanation, and the category is the person's.
  expect(onChange.mock.lastCall?.[0]).toEqual({
    category: "",
    question: both("第0种神兽守护哪里？", "What does creature 0 guard?"),
    options: [both("南方", "South"), both("北方", "North")],
  });
});

test("what is chosen while a candidate is being used stays", async () => {
  const { keys, onChange } = await open(
    { ...CONCEPTS, [DRAFTS]: draftings([drafting()]), "POST /api/v1/draftings/5/use": draftings([drafting()]) },
    [],
    drafted,
  );
  const release = holdWrites();
  const [first] = await screen.findAllByTestId("candidate-use");
  if (first) await keys.click(first);
  await keys.click(screen.getByTestId("candidate-replace"));
  await keys.click(screen.getByTestId("choose-tea"));
  await waitFor(() => {
    release();
    expect(onChange).toHaveBeenCalled();
  });
  expect(onChange.mock.lastCall?.[0]).toMatchObject({ category: "tea", question: { local: "第0种神兽守护哪里？" } });
});

test("another item is left alone when the answer for a candidate comes", async () => {
  const { keys, sent, onChange } = await open(
    { ...CONCEPTS, [DRAFTS]: draftings([drafting()]), "POST /api/v1/draftings/5/use": draftings([drafting()]) },
    [],
    drafted,
  );
  const release = holdWrites();
  const [first] = await screen.findAllByTestId("candidate-use");
  if (first) await keys.click(first);
  await keys.click(screen.getByTestId("candidate-replace"));
  await keys.click(screen.getByTestId("open-next"));
  await waitFor(() => {
    release();
    expect(sent()).toHaveLength(1);
  });
  await waitFor(() => expect(first?.getAttribute("aria-busy")).not.toBe("true"));
  expect(onChange).not.toHaveBeenCalled();
});

test("a candidate is put in again without another decision when the answer was lost", async () => {
  let fate = {};
  const { keys, sent, onChange } = await open({ ...CONCEPTS, [DRAFTS]: () => draftings([drafting({ candidates: [candidate(0, fate)] })]) }, [], drafted);
  const served = globalThis.fetch;
  const breaking: typeof fetch = (address, init) => {
    if (init?.method !== "POST") return served(address, init);
    fate = { fate: "used", item: "mcq-000001", item_id: 1 };
    return Promise.reject(new TypeError("Failed to fetch"));
  };
  vi.stubGlobal("fetch", vi.fn(breaking));
  await keys.click(await screen.findByTestId("candidate-use"));
  await keys.click(screen.getByTestId("candidate-replace"));
  await keys.click(await screen.findByTestId("candidate-again"));
  expect(onChange).not.toHaveBeenCalled();
  await keys.click(screen.getByTestId("candidate-replace"));
  expect(onChange.mock.lastCall?.[0]).toMatchObject({ question: { local: "第0种神兽守护哪里？" } });
  expect(sent()).toEqual([]);
});

test("a candidate of another item is not put in", async () => {
  const used = candidate(0, { fate: "used", item: "mcq-000002", item_id: 2 });
  await open({ ...CONCEPTS, [DRAFTS]: draftings([drafting({ candidates: [used] })]) }, [], drafted);
  await screen.findByTestId("candidate-fate");
  expect(screen.queryByTestId("candidate-again")).toBeNull();
});

test("while a draft is under way only such drafts are fetched, and all of them once it ended", async () => {
  const done = drafting();
  const waiting = drafting({ id: 6, state: "running", candidates: [] });
  let rows = [waiting, done];
  const { server } = await open(
    {
      ...CONCEPTS,
      [DRAFTS]: ({ query }: Asked) => {
        if (query.get("open_only") !== "true") return draftings(rows);
        rows = [drafting({ id: 6, candidates: [candidate(0)] }), done];
        return draftings([]);
      },
    },
    [],
    drafted,
  );
  await waitFor(() => expect(screen.getAllByTestId("candidate")).toHaveLength(3));
  const fetched = server.asked.filter(({ path }) => path.endsWith("/draftings")).map(({ query }) => query.get("open_only"));
  expect(fetched).toEqual([null, "true", null]);
});

test("a candidate is discarded with a reason, and naming the concept is none", async () => {
  const { keys, sent } = await open(
    { ...CONCEPTS, [DRAFTS]: draftings([drafting()]), "POST /api/v1/draftings/5/discard": draftings([drafting()]) },
    [],
    drafted,
  );
  const [, second] = await screen.findAllByTestId("candidate-discard");
  if (second) await keys.click(second);
  const reasons = screen.getAllByTestId(/^discard-/).map(({ dataset }) => dataset.testid);
  expect(reasons).toEqual(
    ["wrong_fact", "several_right", "too_easy", "not_cultural", "needs_no_picture", "bad_language", "repeated"].map((one) => `discard-${one}`),
  );
  await keys.click(screen.getByTestId("discard-too_easy"));
  await waitFor(() => expect(sent()).toMatchObject([["/api/v1/draftings/5/discard", { no: 1, reason: "too_easy" }]]));
});

test.each([
  ["a failure", { state: "failed", error_code: "draft_half_bilingual", candidates: [] }, true, "both languages"],
  ["waiting", { state: "running", candidates: [] }, true, "writing questions"],
  ["no worker", { state: "queued", candidates: [] }, false, "No worker"],
  ["a limit", { state: "queued", candidates: [], limited_until: "2026-11-28T10:00:00Z" }, true, "limits requests"],
])("what a draft says: %s", async (_, changes, alive, sentence) => {
  await open({ ...CONCEPTS, [DRAFTS]: draftings([drafting(changes)], alive) }, [], drafted);
  expect((await screen.findByTestId("drafting")).textContent).toContain(sentence);
  expect(screen.queryByTestId("candidate")).toBeNull();
});
