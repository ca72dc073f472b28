import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { board, chosen, decide, DECIDE, entry, open } from "@/testing/board";

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

test("a form says what is missing besides the reason", async () => {
  const { decided, keys } = await open(board());
  await keys.keyboard("m");
  expect(screen.getByTestId("decision-merge").textContent).toContain("Merge: mooncake");
  await keys.type(screen.getByTestId("decision-reason"), "the same");
  await keys.click(screen.getByTestId("decision-confirm"));
  expect(screen.getByRole("alert").textContent).toBe("Choose the category to merge into");
  await keys.keyboard("{Escape}");
  await keys.keyboard("r");
  await keys.type(screen.getByTestId("decision-reason"), "more concrete");
  await keys.click(screen.getByTestId("decision-confirm"));
  expect(screen.getByText("Enter the name in at least one language")).toBeTruthy();
  expect(decided()).toEqual([]);
});

test("a category's details have all names that it was proposed by, and what was merged into it", async () => {
  const person = (id: number, name: string) => ({ id, username: name, name });
  const proposed = (name: Record<string, string>, who: string) => ({ person: person(1, who), list: "", name });
  const target = entry(1, "roast duck", {
    name: { en: "roast duck", "zh-Hans": "烤鸭", "zh-Hant": "烤鴨" },
    proposers: [proposed({ "zh-Hans": "烤鸭" }, "Li Na"), proposed({ "zh-Hans": "烤鴨", en: "Peking duck" }, "Wang Fang")],
  });
  const merged = entry(2, "duck", { state: "merged", into: 1, proposers: [proposed({ en: "duck" }, "Zhao Lei")] });
  await open(board({ entries: [target, merged] }));
  const detail = screen.getByTestId("board-detail");
  expect(within(detail).getByText("烤鸭 · 烤鴨 · roast duck")).toBeTruthy();
  expect(within(detail).getAllByTestId("board-other-name").map((one) => one.textContent)).toEqual(["Proposed by Wang Fang as 烤鴨 · Peking duck"]);
  expect(within(detail).getByTestId("board-replaces").textContent).toBe("Includes duck, proposed by Zhao Lei");
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
