/** The category board in tests: what the server answers, and the page opened with it. */
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { BoardEntry, CategoryBoard } from "@/api/types";
import { BoardPage } from "@/features/board/BoardPage";
import { KeySheets } from "@/ui/keys";
import { renderScreen } from "./render";
import { serve } from "./server";

const names = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
export const DECIDE = ["keep", "remove", "merge", "replace", "rename", "regroup"];

export function entry(id: number, en: string, part: Partial<BoardEntry> = {}): BoardEntry {
  const facts = { field: "food", name: names(en), into: null, group: "", computed_group: "closest", search: [en], proposers: [], decision: null };
  return { id, ...facts, state: "proposed", revision: 0, actions: DECIDE, ...part };
}

export function board(part: Partial<CategoryBoard> = {}): CategoryBoard {
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

export async function open(shown: CategoryBoard, replies: Replies = {}) {
  const histories = Object.fromEntries(shown.entries.map((one) => [`GET /api/v1/category-board-entries/${String(one.id)}`, { body: { ...one, history: [] } }]));
  const server = serve({ "GET /api/v1/benchmarks/x/category-board": { body: shown }, ...histories, ...replies });
  const { router } = await renderScreen(<><BoardPage /><KeySheets /></>, { at: "/b/x/category-board", path: "/b/:slug/category-board" });
  await screen.findByText("Food");
  const decided = () => server.asked.filter(({ method }) => method === "POST").map(({ path, body }) => ({ path, body: body as Record<string, unknown> }));
  return { server, router, decided, keys: userEvent.setup({ delay: null }) };
}

export const decide = (id: number) => `/api/v1/category-board-entries/${String(id)}/decide`;
export const chosen = () => within(screen.getByTestId("board-entries")).getByRole("button", { current: true }).getAttribute("data-testid");
