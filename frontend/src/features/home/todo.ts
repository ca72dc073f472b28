/** What waits for the person, most urgent first, from the one `waiting` answer. */
import type { Package, Waiting } from "@/api/types";

export interface Todo {
  name: "returned" | "working" | "review" | "inspect" | "claim" | "judge";
  /** Below /b/:slug. */
  to: string;
  /** The package the line is about, where it is about one. */
  package: Package | null;
  count: number;
  /** When the oldest thing in the line began to wait. */
  since: string | null;
}

function oldest(packages: readonly Package[]): string | null {
  return packages.reduce<string | null>(
    (first, one) => (first === null || one.state_changed_at < first ? one.state_changed_at : first),
    null,
  );
}

export function todosFrom(waiting: Waiting): Todo[] {
  const todos: Todo[] = [];
  for (const one of waiting.working) {
    todos.push({ name: "working", to: `/work/${one.id}`, package: one, count: one.size - one.written, since: null });
  }
  for (const one of waiting.returned) {
    todos.push({ name: "returned", to: `/packages/${one.id}`, package: one, count: 1, since: one.state_changed_at });
  }
  const review = waiting.to_review;
  if (review[0]) {
    todos.push({ name: "review", to: "/packages?state=handed_over", package: null, count: review.length, since: oldest(review) });
  }
  const inspect = waiting.to_inspect;
  if (inspect[0]) {
    todos.push({ name: "inspect", to: "/packages?state=inspecting", package: null, count: inspect.length, since: oldest(inspect) });
  }
  if ((waiting.images_to_judge ?? 0) > 0) {
    todos.push({ name: "judge", to: "/pictures/inspect", package: null, count: waiting.images_to_judge ?? 0, since: null });
  }
  // A new package is offered only to those who hold none: one at a time.
  const holds = waiting.working.length > 0 || waiting.returned.length > 0;
  if (!holds && (waiting.available ?? 0) > 0) {
    todos.push({ name: "claim", to: "/packages", package: null, count: waiting.available ?? 0, since: null });
  }
  return todos;
}

/** Package states as columns of the board, in the order of their life. */
export const BOARD_STATES = ["available", "working", "handed_over", "reviewing", "inspecting", "returned", "passed"] as const;
