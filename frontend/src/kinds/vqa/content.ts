/** Pure operations on a picture's questions and answers. */
import type { RulesOf, WorkRules } from "@/api/types";
import type { Content } from "../kind";

interface VqaPair {
  question: string;
  answer: string;
}

/** The fields of a pair, in the order they are written. */
export const NAMES = ["question", "answer"] as const;
type Name = (typeof NAMES)[number];

/** The pairs in an item's content, which the API carries as an open object. */
export function pairsOf(content: Content): VqaPair[] {
  const { pairs } = content as { pairs?: VqaPair[] };
  return pairs ?? [];
}

/** The rules, which the API carries as one of several shapes. */
export function rulesOf(rules: WorkRules): RulesOf<"vqa"> {
  if (rules.kind !== "vqa") throw new Error(`rules of ${rules.kind}, not of vqa`);
  return rules;
}

export function emptyPairs(rules: WorkRules): Content {
  return { pairs: Array.from({ length: rules.slots }, () => ({ question: "", answer: "" })) };
}

/** Question, answer, question, answer …: what the keys walk through and two versions are compared by. */
export function textsOf(content: Content): string[] {
  return pairsOf(content).flatMap((pair) => NAMES.map((name) => pair[name]));
}

export function fromTexts(texts: readonly string[]): Content {
  const pairs = Array.from({ length: Math.ceil(texts.length / 2) }, (_, at) => ({
    question: texts[2 * at] ?? "",
    answer: texts[2 * at + 1] ?? "",
  }));
  return { pairs };
}

/** "pairs.1.answer" → 3; anything else concerns the pairs as a whole. */
export function fieldOf(path: string): number | null {
  const match = /^pairs\.(\d+)\.(question|answer)$/.exec(path);
  return match === null ? null : 2 * Number(match[1]) + (match[2] === "answer" ? 1 : 0);
}

export function textAt(content: Content, path: string): string | null {
  const field = fieldOf(path);
  return field === null ? null : (textsOf(content)[field] ?? "");
}

export function firstEmptyField(content: Content): number | null {
  const index = textsOf(content).findIndex((text) => text.trim() === "");
  return index === -1 ? null : index;
}

export function withText(content: Content, slot: number, name: Name, text: string): Content {
  return { pairs: pairsOf(content).map((pair, at) => (at === slot ? { ...pair, [name]: text } : pair)) };
}
