/** Drafted questions as contents of an item. */
import type { Answer } from "@/api/request";
import type { RecordNode } from "@/api/types";
import type { Content } from "../kind";
import { get, leaves, set } from "../tree";

export type Candidate = Answer<"drafting_list">["draftings"][number]["candidates"][number];

export const DISCARD_REASONS = [
  "wrong_fact",
  "several_right",
  "too_easy",
  "not_cultural",
  "needs_no_picture",
  "bad_language",
  "repeated",
] as const satisfies readonly NonNullable<Candidate["reason"]>[];

/** A content with a candidate's texts in place of its own, in the fields that it has. */
export function withTextsOf(tree: RecordNode, content: Content, candidate: Candidate): Content {
  let result = content;
  for (const { path, node } of leaves(tree, content)) {
    const text = node.type === "text" ? get(tree, candidate.content, path) : null;
    if (typeof text === "string") result = set(tree, result, path, text);
  }
  return result;
}
