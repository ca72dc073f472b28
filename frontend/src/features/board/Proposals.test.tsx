import { screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { CategoryBoard } from "@/api/types";
import { board, open } from "@/testing/board";

afterEach(() => vi.unstubAllGlobals());

test("a proposer sees only their own proposals before submitting them", async () => {
  const draft = { rows: [{ field: "food", name: { "zh-Hans": "月饼" }, vouched: [] }], revision: 1, submitted_at: null, faults: [] };
  await open(board({ is_hidden: true, entries: [], draft, available_actions: ["category_board_draft", "category_board_submit"] }));
  expect(screen.getByTestId("own-proposals")).toBeTruthy();
  expect(screen.getByDisplayValue("月饼")).toBeTruthy();
  expect(screen.queryByTestId("board-entries")).toBeNull();
  expect(screen.queryByTestId("board-progress")).toBeNull();
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

test("the question whether to submit is about the proposals as they were, and is not open again when others are complete", async () => {
  const vouched = ["common", "representative", "physical", "concrete"] as const;
  const rows = [{ field: "food", name: { "zh-Hans": "月饼" }, vouched: [...vouched] }];
  const fault = { field: "food", row: 0, code: "not_vouched", params: {} };
  const mine = (draft: Partial<CategoryBoard["draft"]>) =>
    board({ is_hidden: true, entries: [], draft: { rows, revision: 1, submitted_at: null, faults: [], ...draft }, available_actions: ["category_board_draft", "category_board_submit"] });
  let shown = mine({});
  const { decided, keys } = await open(shown, {
    "GET /api/v1/benchmarks/x/category-board": () => ({ body: shown }),
    "PUT /api/v1/benchmarks/x/category-board/draft": (asked) => {
      const saved = (asked.body as { rows: CategoryBoard["draft"]["rows"] }).rows;
      shown = mine({ rows: saved, revision: shown.draft.revision + 1, faults: saved[0]?.vouched.length === 4 ? [] : [fault] });
      return { body: shown };
    },
  });
  const submit = screen.getByTestId("submit-proposals");
  const common = () => screen.getByRole("checkbox", { name: "月饼: commonly seen" });
  await keys.click(common());
  await keys.click(submit);
  // The save finds what is missing.
  await screen.findByText("Complete what is marked, then submit.", {}, { timeout: 3_000 });
  expect(submit.textContent).toContain("Submit proposals");
  await keys.click(common());
  await waitFor(() => expect(screen.queryByText("Check all four")).toBeNull(), { timeout: 3_000 });
  expect([screen.queryByTestId("submit-ask"), submit.textContent.includes("Submit now")]).toEqual([null, false]);
  expect(decided()).toEqual([]);
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
