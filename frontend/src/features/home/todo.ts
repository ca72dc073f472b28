/** What waits for the person, most urgent first, from the `waiting` answer and the boards of their teams. */
import type { CategoryBoard, ClickingPool, ImageCounts, Lobby, Package, SpotChecks, TeamBoard, Waiting } from "@/api/types";

export interface Todo {
  name: "returned" | "working" | "assigned" | "review" | "inspect" | "pool_review" | "pool_inspection" | "claim" | "judge" | "team_check" | "team_returned" | "team_draft" | "team" | "panel_returned" | "panel_draft" | "panel_judge" | "panel" | "pair_returned" | "pair_draft" | "pair_click" | "pair_decide" | "pair" | "dialogue_unfinished" | "dialogue_partner" | "dialogue" | "spot_judge" | "spot_draw" | "check_pictures" | "errata" | "propose" | "decide" | "freeze";
  /** Below /b/:slug. */
  to: string;
  /** The package the line is about, where it is about one. */
  package: Package | null;
  /** The team's board, where the line is about it. */
  board?: TeamBoard;
  /** The kind of work, where neither package nor board says it. */
  kind?: string;
  count: number;
  /** When the oldest thing in the line began to wait. */
  since: string | null;
}

function oldestOf(packages: readonly Package[]): Package | null {
  return packages.reduce<Package | null>(
    (first, one) => (first === null || one.state_changed_at < first.state_changed_at ? one : first),
    null,
  );
}

/** What waits in the person's teams; the board itself comes last, so that it is one click away. */
export function teamTodosFrom(boards: readonly TeamBoard[]): Todo[] {
  return boards.flatMap((board) => {
    if (board.team === null) return [];
    const at = `kind=${board.kind}&team=${board.team.id}`;
    const line = (name: Todo["name"], to: string, count: number): Todo => ({ name, to, package: null, board, count, since: null });
    const returned = board.counts.returned ?? 0;
    return [
      ...(board.drafts > 0 ? [line("team_draft", `/team?${at}&show=drafts`, board.drafts)] : []),
      ...(returned > 0 ? [line("team_returned", `/team?${at}&show=returned`, returned)] : []),
      ...(board.to_check > 0 ? [line("team_check", `/team/validate?${at}`, board.to_check)] : []),
      line("team", `/team?${at}`, board.accepted),
    ];
  });
}

/** The items of a board that came back to their author. */
function returnedTo(me: number, board: TeamBoard, name: Todo["name"]): Todo[] {
  const { mine_returned: count, kind } = board;
  return count > 0 ? [{ name, to: `/write?kind=${kind}&show=returned&author=${me}`, package: null, board, count, since: null }] : [];
}

/** What waits in the panel track: the person's own returned items and drafts, what they may judge, and the board. */
export function panelTodosFrom(boards: readonly TeamBoard[], me: number): Todo[] {
  return boards.flatMap((board) => {
    const line = (name: Todo["name"], to: string, count: number): Todo => ({ name, to, package: null, board, count, since: null });
    const may = (operation: string) => board.available_actions.includes(operation);
    return [
      ...returnedTo(me, board, "panel_returned"),
      ...(board.drafts > 0 ? [line("panel_draft", `/write?kind=${board.kind}&show=drafts`, board.drafts)] : []),
      ...(board.to_check > 0 ? [line("panel_judge", `/write/judge?kind=${board.kind}`, board.to_check)] : []),
      ...(may("item_create") ? [line("panel", `/write?kind=${board.kind}`, board.accepted)] : []),
    ];
  });
}

/** What waits in the pair track on boards: the person's own returned items and drafts, what they decide about, and the board. */
export function pairTodosFrom(boards: readonly TeamBoard[], me: number): Todo[] {
  return boards.flatMap((board) => {
    const line = (name: Todo["name"], to: string, count: number): Todo => ({ name, to, package: null, board, count, since: null });
    const may = (operation: string) => board.available_actions.includes(operation);
    return [
      ...returnedTo(me, board, "pair_returned"),
      ...(board.drafts > 0 ? [line("pair_draft", `/write?kind=${board.kind}&show=drafts`, board.drafts)] : []),
      ...(board.to_check > 0 && may("item_decide") ? [line("pair_decide", `/write/decide?kind=${board.kind}`, board.to_check)] : []),
      ...(may("item_create") ? [line("pair", `/write?kind=${board.kind}`, board.accepted)] : []),
    ];
  });
}

/** The items that wait for a second person, with the one that the person holds. */
export function clickTodosFrom(pools: readonly Pick<ClickingPool, "kind" | "waiting" | "item">[]): Todo[] {
  return pools.flatMap(({ kind, waiting, item }): Todo[] => {
    const count = waiting + (item === null ? 0 : 1);
    return count > 0 ? [{ name: "pair_click", to: `/write/click?kind=${kind}`, package: null, kind, count, since: null }] : [];
  });
}

/** Dialogues that are not over, then people who wait for a partner, then the lobby. */
export function dialogueTodosFrom(lobby: Pick<Lobby, "kind" | "parts" | "others" | "dialogues"> | undefined): Todo[] {
  if (lobby === undefined || lobby.parts.length === 0) return [];
  const { kind, others, dialogues } = lobby;
  const line = (name: Todo["name"], to: string, count: number): Todo => ({ name, to, package: null, kind, count, since: null });
  const [open] = dialogues.filter(({ state }) => state === "open");
  if (open !== undefined) return [line("dialogue_unfinished", `/write/dialogue/${open.id}`, dialogues.length)];
  if (dialogues.length > 0) return [line("dialogue_unfinished", "/write/dialogue", dialogues.length)];
  return [others > 0 ? line("dialogue_partner", "/write/dialogue", others) : line("dialogue", "/write/dialogue", 0)];
}

/** A partner who waits now comes before everything that waits. */
export function partnersFirst(todos: readonly Todo[]): Todo[] {
  const isUrgent = ({ name }: Todo) => name === "dialogue_unfinished";
  return [...todos.filter(isUrgent), ...todos.filter((todo) => !isUrgent(todo))];
}

/** Drawn items that wait for the person, and accepted items from which a spot check can be drawn once none waits. */
export function spotCheckTodosFrom(checks: readonly Pick<SpotChecks, "kind" | "to_judge" | "preview">[]): Todo[] {
  return checks.flatMap(({ kind, to_judge: count, preview }): Todo[] => {
    const accepted = preview.reduce((sum, { population }) => sum + population, 0);
    const rest = { package: null, kind, since: null };
    if (count > 0) return [{ name: "spot_judge", to: `/team/spot-checks/judge?kind=${kind}`, count, ...rest }];
    return accepted > 0 ? [{ name: "spot_draw", to: `/team/spot-checks?kind=${kind}`, count: accepted, ...rest }] : [];
  });
}

/** Pictures that no one has checked for personal information: nothing can be made of them until then. */
export function coverTodosFrom(counts: Pick<ImageCounts, "to_check"> | undefined): Todo[] {
  const count = counts?.to_check ?? 0;
  return count > 0 ? [{ name: "check_pictures", to: "/pictures/cover", package: null, count, since: null }] : [];
}

type BoardState = Pick<CategoryBoard, "state" | "draft" | "available_actions"> & { entries: readonly Pick<CategoryBoard["entries"][number], "state">[] };

/** A board that is not frozen: one's own proposals that are not submitted, then what is undecided, then the list to freeze. */
export function boardTodosFrom(board: BoardState | undefined): Todo[] {
  if (board?.state !== "open") return [];
  const may = (action: string) => board.available_actions.includes(action);
  const line = (name: Todo["name"], count: number): Todo => ({ name, to: "/category-board", package: null, count, since: null });
  const undecided = board.entries.filter(({ state }) => state === "proposed").length;
  if (may("category_board_submit") && board.draft.submitted_at === null) return [line("propose", board.draft.rows.length)];
  if (may("category_board_decide") && undecided > 0) return [line("decide", undecided)];
  return may("category_board_freeze") && board.entries.length > 0 ? [line("freeze", board.entries.length)] : [];
}

/** Mistakes that readers reported and no one has decided about. */
export function errataTodosFrom(reported: { total: number | null } | undefined): Todo[] {
  const count = reported?.total ?? 0;
  return count > 0 ? [{ name: "errata", to: "/errata?state=reported", package: null, count, since: null }] : [];
}

export function todosFrom(waiting: Waiting): Todo[] {
  const todos: Todo[] = [];
  for (const one of waiting.working) {
    todos.push({ name: "working", to: `/work/${one.id}`, package: one, count: one.size - one.written, since: null });
  }
  for (const one of waiting.returned) {
    todos.push({ name: "returned", to: `/packages/${one.id}`, package: one, count: 1, since: one.state_changed_at });
  }
  for (const one of waiting.assigned) {
    todos.push({ name: "assigned", to: `/packages/${one.id}`, package: one, count: one.size, since: one.state_changed_at });
  }
  for (const [name, packages] of [["review", waiting.to_review], ["inspect", waiting.to_inspect]] as const) {
    const next = oldestOf(packages);
    // Straight to the one that waits longest; the list is a click further.
    if (next) todos.push({ name, to: `/packages/${next.id}`, package: next, count: packages.length, since: next.state_changed_at });
  }
  for (const { purpose, kind, free, mine } of waiting.pools) {
    if (free + mine === 0) continue;
    todos.push({ name: `pool_${purpose}`, to: `/pools/${purpose}?kind=${kind}`, package: null, count: free + mine, since: null });
  }
  if ((waiting.images_to_judge ?? 0) > 0) {
    todos.push({ name: "judge", to: "/pictures/inspect", package: null, count: waiting.images_to_judge ?? 0, since: null });
  }
  // A new package is offered only to those who hold none: one at a time.
  const holds = waiting.working.length + waiting.returned.length + waiting.assigned.length > 0;
  if (!holds && (waiting.available ?? 0) > 0) {
    todos.push({ name: "claim", to: "/work", package: null, count: waiting.available ?? 0, since: null });
  }
  return todos;
}
