/** What waits for the person, most urgent first, from the one `waiting` answer. */
import type { Package, Waiting } from "@/api/types";

export interface Todo {
  name: "returned" | "working" | "assigned" | "review" | "inspect" | "pool_review" | "pool_inspection" | "claim" | "judge";
  /** Below /b/:slug. */
  to: string;
  /** The package the line is about, where it is about one. */
  package: Package | null;
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
