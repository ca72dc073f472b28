import { describe, expect, it } from "vitest";
import type { ClickingPool, Package, Waiting } from "@/api/types";
import { lobbyOf } from "@/testing/dialogues";
import { spotChecks, teamBoard } from "@/testing/peer";
import { boardTodosFrom, clickTodosFrom, coverTodosFrom, dialogueTodosFrom, errataTodosFrom, pairTodosFrom, panelTodosFrom, partnersFirst, spotCheckTodosFrom, teamTodosFrom, todosFrom } from "./todo";

const pack = (part: Partial<Package>): Package =>
  ({ id: 1, kind: "captions", size: 20, written: 12, state_changed_at: "2026-11-20T08:00:00Z", ...part }) as Package;

const nothing: Waiting = {
  working: [],
  returned: [],
  assigned: [],
  available: null,
  available_by_kind: null,
  to_review: [],
  to_inspect: [],
  pools: [],
  week: null,
  board: null,
  images_to_judge: null,
};
const todosOf = (part: Partial<Waiting>) => todosFrom({ ...nothing, ...part });

describe("todosFrom", () => {
  it("puts open work first and offers no new package beside it", () => {
    const todos = todosOf({ working: [pack({ id: 18 })], returned: [pack({ id: 15 })], available: 40 });
    expect(todos.map((todo) => [todo.name, todo.to])).toEqual([
      ["working", "/work/18"],
      ["returned", "/packages/15"],
    ]);
  });

  it("offers a package to those who hold none", () => {
    expect(todosOf({ working: [], returned: [], available: 3 }).map((todo) => todo.name)).toEqual(["claim"]);
    expect(todosOf({ available: 0 })).toEqual([]);
  });

  it("gathers reviews and names the oldest", () => {
    const [review] = todosOf({ to_review: [pack({}), pack({ id: 2, state_changed_at: "2026-11-18T08:00:00Z" })] });
    expect(review).toMatchObject({ name: "review", count: 2, since: "2026-11-18T08:00:00Z", to: "/packages/2" });
  });

  it("offers what was assigned in place of what is free, and pools that hold something", () => {
    const pools = [
      { purpose: "review", kind: "captions", free: 12, mine: 2 },
      { purpose: "inspection", kind: "captions", free: 0, mine: 0 },
    ] as Waiting["pools"];
    const todos = todosOf({ available: 3, available_by_kind: { captions: 3 }, assigned: [pack({ id: 7 })], pools });
    expect(todos.map((todo) => [todo.name, todo.to, todo.count])).toEqual([
      ["assigned", "/packages/7", 20],
      ["pool_review", "/pools/review?kind=captions", 14],
    ]);
  });

  it("says nothing of pictures when none waits", () => {
    expect(todosOf({ images_to_judge: 0 })).toEqual([]);
    expect(todosOf({ images_to_judge: 4 })).toMatchObject([{ name: "judge", count: 4, to: "/pictures/inspect" }]);
  });
});

describe("panelTodosFrom", () => {
  const board = (part: object) => teamBoard({ team: null, counts: {}, drafts: 0, to_check: 0, ...part });

  it("leads writers to their drafts and the board, judges to what waits for them", () => {
    const todos = panelTodosFrom(
      [
        board({ drafts: 2, mine_returned: 1, accepted: 5, available_actions: ["item_create"] }),
        board({ to_check: 4, available_actions: ["item_judge"] }),
      ],
      9,
    );
    expect(todos.map(({ name, to, count }) => [name, to, count])).toEqual([
      ["panel_returned", "/write?kind=captions&show=returned&author=9", 1],
      ["panel_draft", "/write?kind=captions&show=drafts", 2],
      ["panel", "/write?kind=captions", 5],
      ["panel_judge", "/write/judge?kind=captions", 4],
    ]);
  });
});

describe("pairTodosFrom and clickTodosFrom", () => {
  const board = (part: object) => teamBoard({ team: null, kind: "grounding", counts: {}, drafts: 0, to_check: 0, ...part });

  it("lead writers to their drafts and the board, and those who decide to what waits for them", () => {
    const todos = pairTodosFrom(
      [
        board({ drafts: 2, mine_returned: 3, accepted: 5, to_check: 3, available_actions: ["item_create", "item_click"] }),
        board({ to_check: 4, available_actions: ["item_decide"] }),
      ],
      9,
    );
    expect(todos.map(({ name, to, count }) => [name, to, count])).toEqual([
      ["pair_returned", "/write?kind=grounding&show=returned&author=9", 3],
      ["pair_draft", "/write?kind=grounding&show=drafts", 2],
      ["pair", "/write?kind=grounding", 5],
      ["pair_decide", "/write/decide?kind=grounding", 4],
    ]);
  });

  it("lead second people to what waits for them, with what they hold", () => {
    const held = { id: 1 } as ClickingPool["item"];
    const todos = clickTodosFrom([
      { kind: "grounding", waiting: 2, item: held },
      { kind: "other", waiting: 0, item: null },
    ]);
    expect(todos.map(({ name, to, count }) => [name, to, count])).toEqual([["pair_click", "/write/click?kind=grounding", 3]]);
  });
});

describe("teamTodosFrom", () => {
  const at = "kind=captions&team=7";

  it("puts what was returned first, then what waits for a star, and always leads to the board", () => {
    const todos = teamTodosFrom([teamBoard()]);
    expect(todos.map(({ name, to, count }) => [name, to, count])).toEqual([
      ["team_returned", `/team?${at}&show=returned`, 2],
      ["team_check", `/team/validate?${at}`, 4],
      ["team", `/team?${at}`, 57],
    ]);
  });

  it("leads to what the person drafted and did not submit", () => {
    expect(teamTodosFrom([teamBoard({ to_check: 0, counts: {}, drafts: 2 })])[0]).toMatchObject({ name: "team_draft", to: `/team?${at}&show=drafts`, count: 2 });
  });

  it("says nothing of what does not wait", () => {
    expect(teamTodosFrom([teamBoard({ to_check: 0, counts: {} })]).map(({ name }) => name)).toEqual(["team"]);
  });
});

describe("spotCheckTodosFrom", () => {
  const shown = (checks: Parameters<typeof spotChecks>[0]) => spotCheckTodosFrom([spotChecks(checks)]).map(({ name, to, count }) => [name, to, count]);

  it("leads to the drawn items, and to the next draw once none waits", () => {
    expect(shown({ to_judge: 4 })).toEqual([["spot_judge", "/team/spot-checks/judge?kind=captions", 4]]);
    expect(shown({})).toEqual([["spot_draw", "/team/spot-checks?kind=captions", 25]]);
    expect(shown({ preview: [] })).toEqual([]);
  });
});

describe("errataTodosFrom", () => {
  it("leads to the reports that wait for a decision", () => {
    expect(errataTodosFrom({ total: 2 })).toEqual([{ name: "errata", to: "/errata?state=reported", package: null, count: 2, since: null }]);
    expect(errataTodosFrom({ total: 0 })).toEqual([]);
    expect(errataTodosFrom(undefined)).toEqual([]);
  });
});

describe("coverTodosFrom", () => {
  it("leads to the pictures that nobody has checked, where there are some", () => {
    expect(coverTodosFrom({ to_check: 12 })).toEqual([{ name: "check_pictures", to: "/pictures/cover", package: null, count: 12, since: null }]);
    expect(coverTodosFrom({ to_check: 0 })).toEqual([]);
    expect(coverTodosFrom(undefined)).toEqual([]);
  });
});

describe("boardTodosFrom", () => {
  const draft = { rows: [], revision: 0, submitted_at: null, faults: [] };
  const board = (actions: string[], states: ("proposed" | "kept")[], submitted: string | null = null) => ({
    state: "open" as const,
    draft: { ...draft, submitted_at: submitted },
    entries: states.map((state) => ({ state })),
    available_actions: actions,
  });
  const found = (...given: Parameters<typeof board>) => boardTodosFrom(board(...given)).map(({ name, count, to }) => [name, count, to]);

  it("has proposers propose, curators decide, and then freeze", () => {
    expect(found(["category_board_draft", "category_board_submit"], [])).toEqual([["propose", 0, "/category-board"]]);
    expect(found(["category_board_submit"], [], "2026-01-01T00:00:00Z")).toEqual([]);
    expect(found(["category_board_decide", "category_board_freeze"], ["proposed", "kept", "proposed"])).toEqual([["decide", 2, "/category-board"]]);
    expect(found(["category_board_decide", "category_board_freeze"], ["kept"])).toEqual([["freeze", 1, "/category-board"]]);
    expect(found(["category_board_freeze"], [])).toEqual([]);
    expect(boardTodosFrom({ ...board(["category_board_decide"], ["proposed"]), state: "frozen" })).toEqual([]);
    expect(boardTodosFrom(undefined)).toEqual([]);
  });
});

describe("dialogueTodosFrom", () => {
  const one = (id: number, state: "open" | "paused") => ({ id, state, part: "question" as const, caption: "熊猫", turn_no: 1, rounds: 10, paused_at: null });
  const names = (...args: Parameters<typeof dialogueTodosFrom>) => dialogueTodosFrom(...args).map(({ name, to, count }) => [name, to, count]);

  it("leads to the open dialogue, else to the unfinished ones, else to the lobby", () => {
    expect(names(lobbyOf({ dialogues: [one(7, "open"), one(5, "paused")] }))).toEqual([["dialogue_unfinished", "/write/dialogue/7", 2]]);
    expect(names(lobbyOf({ dialogues: [one(5, "paused")] }))).toEqual([["dialogue_unfinished", "/write/dialogue", 1]]);
    expect(names(lobbyOf({ others: 2 }))).toEqual([["dialogue_partner", "/write/dialogue", 2]]);
    expect(names(lobbyOf())).toEqual([["dialogue", "/write/dialogue", 0]]);
  });

  it("shows nothing to those who may take no part", () => {
    expect([names(undefined), names(lobbyOf({ parts: [], others: 2 }))]).toEqual([[], []]);
  });

  it("comes first where a partner waits", () => {
    const todos = [...todosOf({ available: 3 }), ...dialogueTodosFrom(lobbyOf({ dialogues: [one(7, "open")] }))];
    expect(partnersFirst(todos).map(({ name }) => name)).toEqual(["dialogue_unfinished", "claim"]);
  });
});
