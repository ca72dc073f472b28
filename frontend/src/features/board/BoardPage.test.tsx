import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { BoardEntry, CategoryBoard } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { BoardPage } from "./BoardPage";

const names = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const DECIDE = ["keep", "remove", "merge", "replace", "rename", "regroup"];

function entry(id: number, en: string, part: Partial<BoardEntry> = {}): BoardEntry {
  const facts = { field: "food", name: names(en), into: null, group: "", computed_group: "closest", search: [en], proposers: [], decision: null };
  return { id, ...facts, state: "proposed", revision: 0, actions: DECIDE, ...part };
}

function board(part: Partial<CategoryBoard> = {}): CategoryBoard {
  return {
    state: "open",
    revision: 1,
    version: null,
    new_entries: 0,
    new_groups: 0,
    expected_proposers: 3,
    minimum: 1,
    maximum: 2,
    fields: [{ code: "food", name: names("Food") }],
    draft: { rows: [], revision: 0, submitted_at: null, faults: [] },
    is_hidden: false,
    entries: [entry(1, "mooncake"), entry(2, "zongzi"), entry(3, "tangyuan")],
    progress: [],
    agreement: { proposers: 0, entries: 0, shared: 0, jaccard: null },
    available_actions: ["category_board_decide", "category_board_add"],
    ...part,
  };
}

type Replies = Parameters<typeof serve>[0];

async function open(shown: CategoryBoard, replies: Replies = {}) {
  const histories = Object.fromEntries(shown.entries.map((one) => [`GET /api/v1/category-board-entries/${String(one.id)}`, { body: { ...one, history: [] } }]));
  const server = serve({ "GET /api/v1/benchmarks/x/category-board": { body: shown }, ...histories, ...replies });
  const { router } = await renderScreen(<><BoardPage /><KeySheets /></>, { at: "/b/x/category-board", path: "/b/:slug/category-board" });
  await screen.findByText("Food");
  const decided = () => server.asked.filter(({ method }) => method === "POST").map(({ path, body }) => ({ path, body: body as Record<string, unknown> }));
  return { server, router, decided, keys: userEvent.setup({ delay: null }) };
}

const decide = (id: number) => `/api/v1/category-board-entries/${String(id)}/decide`;
const chosen = () => within(screen.getByTestId("board-entries")).getByRole("button", { current: true }).getAttribute("data-testid");

afterEach(() => vi.unstubAllGlobals());

test("a decision that the server refuses is offered again with its reason", async () => {
  const refused = { status: 409, body: { code: "board_name_taken", params: { name: "zongzi", state: "kept", entry: 2 }, detail: "" } };
  const { decided, keys } = await open(board(), { [`POST ${decide(1)}`]: refused });
  await keys.keyboard("n");
  const form = await screen.findByTestId("decision-rename");
  fireEvent.change(within(form).getByTestId("decision-name-en"), { target: { value: "zongzi" } });
  fireEvent.change(within(form).getByLabelText("Reason"), { target: { value: "more concrete" } });
  await keys.click(within(form).getByTestId("decision-confirm"));
  await waitFor(() => expect(decided()).toHaveLength(1));
  expect((await screen.findByTestId("problem")).textContent).toContain("zongzi");
  const again = screen.getByTestId("decision-rename");
  expect(within(again).getByTestId<HTMLInputElement>("decision-name-en").value).toBe("zongzi");
  expect(within(again).getByLabelText<HTMLInputElement>("Reason").value).toBe("more concrete");
  expect(chosen()).toBe("entry-1");
});

test("a key that is pressed while another decision is on its way is not lost", async () => {
  const { decided, keys } = await open(board(), { [`POST ${decide(1)}`]: { body: {} }, [`POST ${decide(2)}`]: { body: {} } });
  const answered = globalThis.fetch;
  const waiting: (() => void)[] = [];
  const begun: string[] = [];
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    if (init.method === "POST") {
      begun.push(new URL(address, "http://localhost").pathname);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    return answered(address, init);
  });
  await keys.keyboard("k");
  await waitFor(() => expect(chosen()).toBe("entry-2"));
  await keys.keyboard("k");
  await waitFor(() => expect(chosen()).toBe("entry-3"));
  expect([begun, decided()]).toEqual([[decide(1)], []]);
  waiting[0]?.();
  await waitFor(() => expect(begun).toEqual([decide(1), decide(2)]));
  waiting[1]?.();
  await waitFor(() => expect(decided().map(({ path, body }) => [path, body.action])).toEqual([[decide(1), "keep"], [decide(2), "keep"]]));
});

test("what is typed about one category stays while the decision about another is refused", async () => {
  const refused = { status: 409, body: { code: "board_name_taken", params: { name: "zongzi", state: "kept", entry: 2 }, detail: "" } };
  const { decided, keys } = await open(board(), { [`POST ${decide(1)}`]: refused });
  const answered = globalThis.fetch;
  let release: () => void = () => undefined;
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    if (init.method === "POST") await new Promise<void>((resolve) => (release = resolve));
    return answered(address, init);
  });
  await keys.keyboard("k");
  await waitFor(() => expect(chosen()).toBe("entry-2"));
  await keys.keyboard("d");
  const reason = () => within(screen.getByTestId("decision-remove")).getByLabelText<HTMLInputElement>("Reason");
  await keys.type(reason(), "kept");
  release();
  expect((await screen.findByTestId("problem")).textContent).toContain("zongzi");
  await keys.type(reason(), " by mistake");
  expect([reason().value, decided().length]).toEqual(["kept by mistake", 1]);
  expect(screen.getByTestId<HTMLButtonElement>("decide-again").disabled).toBe(true);
  await keys.keyboard("{Escape}");
  await keys.click(screen.getByTestId("decide-again"));
  expect(chosen()).toBe("entry-1");
});

test("after somebody else decided, their decision is shown and nothing is offered again", async () => {
  const event = { no: 2, action: "remove" as const, by: { id: 7, name: "Wang" }, reason: "too abstract", data: {}, at: "2026-11-25T10:00:00Z" };
  const later = board({ entries: [entry(1, "mooncake", { state: "removed", decision: event, revision: 1, actions: ["reopen"] }), entry(2, "zongzi")] });
  const stale = { status: 409, body: { code: "stale_row", params: { revision: 1, named: 0 }, detail: "" } };
  const { server, keys } = await open(board(), { [`POST ${decide(1)}`]: stale });
  server.replies["GET /api/v1/benchmarks/x/category-board"] = { body: later };
  await keys.keyboard("k");
  expect((await screen.findByTestId("board-conflict", {}, { timeout: 8_000 })).textContent).toContain("too abstract");
  expect(screen.queryByTestId("decision-keep")).toBeNull();
}, 12_000);

test("a usual reason has a code, so that everyone reads it in their language; a reason that was written has none", async () => {
  const decision = { no: 2, action: "remove" as const, by: { id: 7, name: "Wang" }, reason: "过于宽泛", data: { usual: "too_general" }, at: "2026-11-25T10:00:00Z" };
  const removed = entry(3, "snack", { state: "removed", decision, actions: ["reopen"] });
  const history = { ...removed, history: [decision, { ...decision, no: 3, reason: "太杂", data: {} }] };
  const { decided, keys } = await open(board({ entries: [entry(1, "mooncake"), entry(2, "zongzi"), removed] }), {
    [`POST ${decide(1)}`]: { body: {} },
    [`POST ${decide(2)}`]: { body: {} },
    "GET /api/v1/category-board-entries/3": { body: history },
  });
  await keys.keyboard("d{Alt>}2{/Alt}d");
  await keys.type(screen.getByTestId("decision-reason"), "Too general, too{Enter}");
  await waitFor(() =>
    expect(decided().map(({ body: { reason, usual } }) => [reason, usual])).toEqual([
      ["Too general", "too_general"],
      ["Too general, too", undefined],
    ]),
  );
  await keys.click(screen.getByTestId("entry-3"));
  await waitFor(() => expect([...screen.getByTestId("board-history").querySelectorAll("p")].map((one) => one.textContent)).toEqual(["Too general", "太杂"]));
});

test("without keys, as on a telephone, buttons offer what can be done about the chosen category", async () => {
  const kept = entry(2, "zongzi", { state: "kept", actions: ["reopen", "regroup"] });
  const { decided, keys } = await open(board({ entries: [entry(1, "mooncake"), kept] }), { [`POST ${decide(1)}`]: { body: {} } });
  const shown = () => within(screen.getByRole("group", { name: "Actions on the category" })).getAllByRole("button").map((one) => one.dataset.testid);
  expect(shown()).toEqual(DECIDE.map((action) => `do-board.${action}`));
  await keys.click(screen.getByTestId("do-board.keep"));
  await waitFor(() => expect(decided()).toEqual([{ path: decide(1), body: expect.objectContaining({ action: "keep" }) as unknown }]));
  await keys.click(screen.getByTestId("entry-2"));
  expect(shown()).toEqual(["do-board.reopen", "do-board.regroup"]);
  await keys.click(screen.getByTestId("do-board.onlyOpen"));
  expect(screen.getByTestId("do-board.onlyOpen").getAttribute("aria-pressed")).toBe("true");
});

test("a corrected group goes back to the computed one", async () => {
  const corrected = entry(1, "mooncake", { group: "moderate", computed_group: "closest" });
  const { decided, keys } = await open(board({ entries: [corrected] }), { [`POST ${decide(1)}`]: { body: {} } });
  await keys.keyboard("c");
  await keys.selectOptions(screen.getByTestId("decision-group"), "");
  await keys.type(screen.getByTestId("decision-reason"), "a mistake");
  await keys.click(screen.getByTestId("decision-confirm"));
  await waitFor(() => expect(decided()).toHaveLength(1));
  expect(decided()[0]?.body).toMatchObject({ action: "regroup", reason: "a mistake" });
  expect(decided()[0]?.body).not.toHaveProperty("group");
});

test("who does not decide has no buttons for it", async () => {
  await open(board({ available_actions: [] }));
  expect(screen.queryByTestId("do-board.keep")).toBeNull();
  expect(screen.queryByTestId("do-board.add")).toBeNull();
});

test("a proposer sees only their own proposals before submitting them", async () => {
  const draft = { rows: [{ field: "food", name: { "zh-Hans": "月饼" }, vouched: [] }], revision: 1, submitted_at: null, faults: [] };
  await open(board({ is_hidden: true, entries: [], draft, available_actions: ["category_board_draft", "category_board_submit"] }));
  expect(screen.getByTestId("own-proposals")).toBeTruthy();
  expect(screen.getByDisplayValue("月饼")).toBeTruthy();
  expect(screen.queryByTestId("board-entries")).toBeNull();
  expect(screen.queryByTestId("board-progress")).toBeNull();
});

test("once the list is frozen a corrected group makes the next version", async () => {
  const kept = entry(1, "mooncake", { state: "kept", actions: ["regroup"] });
  const frozen = board({ state: "frozen", version: 1, new_groups: 1, entries: [kept], available_actions: ["category_board_decide", "category_board_freeze"] });
  const { decided, keys } = await open(frozen, { "POST /api/v1/benchmarks/x/category-board/freeze": { body: { ...frozen, version: 2, new_groups: 0 } } });
  await keys.keyboard("k");
  expect(decided()).toEqual([]);
  expect(screen.getByTestId("freeze").textContent).toContain("1 corrected group");
  await keys.click(screen.getByTestId("freeze"));
  await keys.click(screen.getByTestId("freeze-confirm"));
  await waitFor(() => expect(decided()[0]?.body).toMatchObject({ revision: 1 }));
});

test("freezing says who has not submitted", async () => {
  const person = (id: number, name: string) => ({ id, username: name, name });
  const progress = [
    { person: person(1, "Li Na"), submitted_at: "2026-01-01T00:00:00Z" },
    { person: person(2, "Wang Fang"), submitted_at: null },
  ];
  const { keys } = await open(board({ progress, entries: [entry(1, "mooncake", { state: "kept" })], available_actions: ["category_board_freeze"] }));
  expect(screen.queryByTestId("not-submitted")).toBeNull();
  await keys.click(screen.getByTestId("freeze"));
  expect(screen.getByTestId("not-submitted").textContent).toContain("began and did not submit: Wang Fang");
});

test("proposals are submitted after a question, and what is incomplete has the focus instead", async () => {
  const row = { field: "food", name: { "zh-Hans": "月饼" }, vouched: ["common", "representative", "physical"] as const };
  const incomplete = { rows: [{ ...row, vouched: [...row.vouched] }], revision: 1, submitted_at: null, faults: [{ field: "food", row: 0, code: "not_vouched", params: {} }] };
  const actions = ["category_board_draft", "category_board_submit"];
  const mine = (draft: CategoryBoard["draft"]) => board({ is_hidden: true, entries: [], draft, available_actions: actions });
  const complete = mine({ rows: [{ ...row, vouched: [...row.vouched, "concrete"] }], revision: 2, submitted_at: null, faults: [] });
  let shown = mine(incomplete);
  const { decided, keys } = await open(shown, {
    "GET /api/v1/benchmarks/x/category-board": () => ({ body: shown }),
    "PUT /api/v1/benchmarks/x/category-board/draft": () => {
      shown = complete;
      return { body: complete };
    },
    "POST /api/v1/benchmarks/x/category-board/submit": { body: complete },
  });
  await keys.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByText("Complete what is marked, then submit.");
  expect(document.activeElement?.getAttribute("aria-label")).toContain("月饼");
  expect(document.activeElement?.getAttribute("type")).toBe("checkbox");
  await keys.click(document.activeElement ?? document.body);
  await waitFor(() => expect(screen.getByTestId("draft-state").textContent).toBe("Saved"));
  await keys.click(screen.getByTestId("submit-proposals"));
  expect(screen.getByTestId("submit-ask").textContent).toContain("Submit 1 proposal?");
  expect(decided()).toEqual([]);
  await keys.click(screen.getByTestId("submit-proposals"));
  await waitFor(() => expect(decided().map(({ path }) => path)).toEqual(["/api/v1/benchmarks/x/category-board/submit"]));
});

describe("saving proposals", () => {
  const actions = ["category_board_draft", "category_board_submit"];
  const mine = (revision: number, name = "月饼") =>
    board({ is_hidden: true, entries: [], draft: { rows: [{ field: "food", name: { "zh-Hans": name }, vouched: [] }], revision, submitted_at: null, faults: [] }, available_actions: actions });
  const nameOf = () => screen.getByRole<HTMLInputElement>("textbox", { name: /简体|Simplified/ });

  test("what is typed while a save is under way is saved after it, in the revision that it made", async () => {
    let answer: () => void = () => undefined;
    const revisions: number[] = [];
    const server = await open(mine(1), {
      "PUT /api/v1/benchmarks/x/category-board/draft": (asked) => {
        const { revision, rows } = asked.body as { revision: number; rows: { name: Record<string, string> }[] };
        revisions.push(revision);
        return { body: mine(revision + 1, rows[0]?.name["zh-Hans"]) };
      },
    });
    const served = fetch;
    vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
      const response = await served(address, init);
      if (init?.method === "PUT") await new Promise<void>((resolve) => (answer = resolve));
      return response;
    });
    await server.keys.type(nameOf(), "一");
    await waitFor(() => expect(revisions).toEqual([1]), { timeout: 3_000 });
    await server.keys.type(nameOf(), "二𠮷");
    answer();
    await waitFor(() => expect(revisions).toEqual([1, 2]), { timeout: 3_000 });
    answer();
    await waitFor(() => expect(screen.getByTestId("draft-state").textContent).toBe("Saved"));
    expect(nameOf().value).toBe("月饼一二𠮷");
  });

  /** Another window saved revision 5; what is typed here is refused until it is known. */
  async function openBesideAnother() {
    const sent: [number, string | undefined][] = [];
    const { server, keys } = await open(mine(1), {
      "PUT /api/v1/benchmarks/x/category-board/draft": (asked) => {
        const { revision, rows } = asked.body as { revision: number; rows: { name: Record<string, string> }[] };
        sent.push([revision, rows[0]?.name["zh-Hans"]]);
        return revision === 1 ? { status: 409, body: { code: "stale_row", params: { revision: 5, named: 1 }, detail: "" } } : { body: mine(revision + 1) };
      },
    });
    server.replies["GET /api/v1/benchmarks/x/category-board"] = { body: mine(5, "粽子") };
    await keys.type(nameOf(), "一");
    const overwrite = await screen.findByTestId("draft-overwrite", {}, { timeout: 3_000 });
    return { server, keys, sent, overwrite };
  }

  test("what is typed while the other window's proposals are fetched is kept, and saved over them", async () => {
    const { keys, sent, overwrite } = await openBesideAnother();
    const served = fetch;
    let answer: () => void = () => undefined;
    vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
      const response = await served(address, init);
      if ((init?.method ?? "GET") === "GET") await new Promise<void>((resolve) => (answer = resolve));
      return response;
    });
    expect([nameOf().value, screen.getByTestId("draft-state").textContent]).toEqual(["月饼一", "Not saved"]);
    await keys.click(overwrite);
    await keys.type(nameOf(), "二");
    answer();
    await waitFor(() => expect(sent).toEqual([[1, "月饼一"], [5, "月饼一二"]]), { timeout: 3_000 });
    expect(nameOf().value).toBe("月饼一二");
  });

  test("the other window's proposals are loaded, and nothing is sent", async () => {
    const { keys, sent } = await openBesideAnother();
    await keys.click(screen.getByTestId("draft-reload"));
    await waitFor(() => expect(nameOf().value).toBe("粽子"));
    expect(screen.getByTestId("draft-state").textContent).toBe("Saved");
    expect(sent).toEqual([[1, "月饼一"]]);
  });

  test("a failed fetch is shown, and what is typed stays unsaved on the page", async () => {
    const { server, keys, sent, overwrite } = await openBesideAnother();
    server.replies["GET /api/v1/benchmarks/x/category-board"] = { status: 503, body: { code: "database_unavailable", params: {}, detail: "" } };
    await keys.click(overwrite);
    await screen.findByTestId("problem");
    expect([nameOf().value, screen.getByTestId("draft-state").textContent, sent]).toEqual(["月饼一", "Not saved", [[1, "月饼一"]]]);
  });

  test("leaving asks first while the last change is not saved", async () => {
    const { router, keys } = await open(mine(1), { "PUT /api/v1/benchmarks/x/category-board/draft": { body: mine(2, "月饼一") } });
    await keys.type(nameOf(), "一");
    void router.navigate("/b/x");
    await keys.click(await screen.findByTestId("leave-stay"));
    expect(nameOf().value).toBe("月饼一");
    await waitFor(() => expect(screen.getByTestId("draft-state").textContent).toBe("Saved"), { timeout: 3_000 });
    void router.navigate("/b/x");
    await screen.findByTestId("elsewhere");
  });
});

test("what keeps the list from being frozen is named before it is sent, and each category leads to its details", async () => {
  const unnamed = entry(2, "zongzi", { state: "kept", name: { "zh-Hans": "粽子" } });
  const { server, decided, keys } = await open(board({ entries: [entry(1, "mooncake"), unnamed], available_actions: ["category_board_freeze"] }));
  expect(screen.getByTestId("entry-2").textContent).toContain("names missing");
  await keys.click(screen.getByTestId("freeze"));
  expect(screen.getByTestId("freeze-left").textContent).toBe("Before the list can be frozen: 1 category is undecided · 1 needs a name in all three languages");
  expect(within(screen.getByTestId("unfinished")).getAllByRole("button").map((one) => one.textContent)).toEqual(["mooncake", "粽子"]);
  await keys.click(within(screen.getByTestId("unfinished")).getByRole("button", { name: "粽子" }));
  expect([chosen(), screen.queryByTestId("freeze-confirm"), decided()]).toEqual(["entry-2", null, []]);
  server.replies["GET /api/v1/benchmarks/x/category-board"] = { body: board({ entries: [entry(1, "mooncake", { state: "removed" })], available_actions: ["category_board_freeze"] }) };
  await waitFor(() => expect(screen.getByTestId("freeze-left").textContent).toBe("Before the list can be frozen: No category is kept"), { timeout: 8_000 });
}, 12_000);

test("what another person reopened meanwhile keeps the list from being frozen", async () => {
  const refused = { status: 409, body: { code: "board_unfinished", params: { undecided: 1, unnamed: 0, kept: 1, entries: [] }, detail: "" } };
  const kept = board({ entries: [entry(1, "mooncake", { state: "kept" })], available_actions: ["category_board_freeze"] });
  const { keys } = await open(kept, { "POST /api/v1/benchmarks/x/category-board/freeze": refused });
  await keys.click(screen.getByTestId("freeze"));
  await keys.click(screen.getByTestId("freeze-confirm"));
  expect((await screen.findByTestId("problem")).textContent).toContain("1 undecided");
});

test("a category that was added is the chosen one, and what another one replaced is called so", async () => {
  const by = { id: 2, name: "Wang Fang" };
  const decision = { no: 2, action: "replace" as const, by, reason: "more concrete", data: {}, at: "2026-01-01T00:00:00Z" };
  const before = board({ entries: [entry(1, "mooncake", { state: "merged", into: 2, decision }), entry(2, "zongzi")] });
  let shown = before;
  const { keys } = await open(before, {
    "GET /api/v1/benchmarks/x/category-board": () => ({ body: shown }),
    "GET /api/v1/category-board-entries/3": { body: { ...entry(3, "tofu"), history: [] } },
    "POST /api/v1/benchmarks/x/category-board/entries": () => {
      shown = { ...before, entries: [...before.entries, entry(3, "tofu", { state: "kept" })] };
      return { body: shown };
    },
  });
  expect(screen.getByTestId("entry-1").textContent).toContain("replaced");
  await keys.keyboard("a");
  const form = await screen.findByTestId("decision-add");
  fireEvent.change(within(form).getByTestId("decision-name-en"), { target: { value: "tofu" } });
  fireEvent.change(within(form).getByLabelText("Reason"), { target: { value: "common" } });
  await keys.click(within(form).getByTestId("decision-confirm"));
  await waitFor(() => expect(chosen()).toBe("entry-3"));
});
