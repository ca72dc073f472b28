/** Trees of contents as the server sends them in the rules. */
import type { Choice, CodeNode, ContentNode, RecordNode, TextNode } from "@/api/types";

export const text = (changes: Partial<TextNode> = {}): TextNode => ({
  type: "text",
  language: "content",
  lang: "zh-Hans",
  dir: "ltr",
  lines: 1,
  latex: false,
  optional: false,
  answer: false,
  ...changes,
});
/** A choice without `search` is found by its name alone. */
type Listed = Omit<Choice, "search"> & Partial<Choice>;
export const choice = (choices: readonly Listed[] = []): CodeNode => ({
  type: "code",
  list: "categories",
  choices: choices.map((one) => ({ search: [], ...one })),
  optional: false,
  answer: false,
});
export const numbers = (count: number): ContentNode => ({ type: "numbers", count, decimals: 2, answer: false });
export const record = (fields: Record<string, ContentNode>): RecordNode => ({ type: "record", fields, answer: false });
export const list = (count: number, of: ContentNode): ContentNode => ({ type: "list", count, of, answer: false });
export const keyed = (fields: Record<string, ContentNode>): ContentNode => ({ type: "keyed", of: record(fields), answer: false });

export const captionsTree = (count: number, of: ContentNode = text()) => record({ captions: list(count, of) });
/** A question with its options in the languages of two texts, or in one. */
export const choiceTree = (options: number, choices: readonly Listed[], local: TextNode, translated?: TextNode) => {
  const sides = record(translated ? { local, translated } : { local });
  return record({ category: choice(choices), question: sides, options: list(options, sides) });
};
export const vqaTree = (count: number) => record({ pairs: list(count, record({ question: text(), answer: text({ answer: true }) })) });
