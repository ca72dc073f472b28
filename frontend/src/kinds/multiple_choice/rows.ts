/** The rows of a question: the fields of its content, each with its text in one language or in two. */
import type { TextNode, WorkRules } from "@/api/types";
import { leaves } from "../tree";

export interface Side {
  readonly path: string;
  readonly node: TextNode;
}

export interface Row {
  /** The path of the field: "options.2". */
  readonly path: string;
  readonly name: "question" | "right" | "distractor" | "explanation";
  /** The distractor's number, from 1; 0 for other rows. */
  readonly number: number;
  /** The texts, that in the people's own language first. */
  readonly sides: readonly Side[];
}

export const CATEGORY = "category";

/** The rows in the order they are written; the first option is the right one. */
export function rowsOf(rules: WorkRules): Row[] {
  const rows = new Map<string, Side[]>();
  for (const { path, node } of leaves(rules.content, undefined)) {
    if (node.type !== "text") continue;
    const field = path.slice(0, path.lastIndexOf("."));
    rows.set(field, [...(rows.get(field) ?? []), { path, node }]);
  }
  return [...rows].map(([path, sides]) => ({ path, ...nameOf(path), sides }));
}

function nameOf(path: string): Pick<Row, "name" | "number"> {
  const [field, index] = path.split(".");
  if (field !== "options") return { name: field === "question" ? "question" : "explanation", number: 0 };
  return index === "0" ? { name: "right", number: 0 } : { name: "distractor", number: Number(index) };
}

/** The path of the same field in the other language, or null where there is none. */
export function otherSide(rows: readonly Row[], path: string): string | null {
  const row = rows.find(({ sides }) => sides.some((side) => side.path === path));
  return row?.sides.find((side) => side.path !== path)?.path ?? null;
}
