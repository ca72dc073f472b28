/** Puts what the server proposes in the place of concepts that a content names, in all its texts. */
import type { Finding, RecordNode } from "@/api/types";
import type { Content } from "../kind";
import { set, textAt } from "../tree";

const CODE = "concept_in_question";

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly put: string;
}

/** Where the texts certainly name concepts that something can take the place of, by path: 鼎 may be that of 鼎盛. */
function replacementsIn(findings: readonly Finding[]): Map<string, Replacement[]> {
  const byPath = new Map<string, Replacement[]>();
  for (const { code, params, overridable, spans } of findings) {
    const { put } = params;
    if (code !== CODE || overridable || typeof put !== "string" || put === "") continue;
    for (const { field, start, end } of spans) byPath.set(field, [...(byPath.get(field) ?? []), { start, end, put }]);
  }
  return byPath;
}

export function hasConcepts(findings: readonly Finding[]): boolean {
  return replacementsIn(findings).size > 0;
}

/** The findings must fit the content. */
export function withoutConcepts(tree: RecordNode, content: Content, findings: readonly Finding[]): Content {
  let result = content;
  for (const [path, replacements] of replacementsIn(findings)) {
    const text = textAt(tree, result, path);
    if (text !== null) result = set(tree, result, path, replaced(text.value, replacements));
  }
  return result;
}

/** Words before the name that take the place of an article: "this Vermilion Bird". */
const ARTICLE = /(^|\s)(?:the|an?|this|that|these|those)\s+$/i;

/** An article before the name goes with it, and the phrase begins with a capital where the name began the text. */
function replaced(text: string, replacements: readonly Replacement[]): string {
  let result = text;
  for (const { start, end, put } of [...replacements].sort((a, b) => b.start - a.start)) {
    const before = result.slice(0, start);
    const bare = /^[a-z]/.test(put) ? before.replace(ARTICLE, "$1") : withoutPhrase(before, put);
    const phrase = bare === "" ? put.charAt(0).toUpperCase() + put.slice(1) : put;
    result = bare + phrase + result.slice(end);
  }
  return result;
}

/** 图中的 before the name stays once, in either script. */
function withoutPhrase(before: string, put: string): string {
  return /^[图圖]中的/.test(put) ? before.replace(/[图圖]中的$/, "") : before;
}
