/** Trees of contents as the server sends them in the rules. */
import type { ContentNode, RecordNode, TextNode } from "@/api/types";

export const text = (changes: Partial<TextNode> = {}): TextNode => ({
  type: "text",
  language: "content",
  lang: "zh-Hans",
  dir: "ltr",
  lines: 1,
  latex: false,
  answer: false,
  ...changes,
});
export const record = (fields: Record<string, ContentNode>): RecordNode => ({ type: "record", fields, answer: false });
export const slots = (count: number, of: ContentNode): ContentNode => ({ type: "slots", count, of, answer: false });
export const keyed = (fields: Record<string, ContentNode>): ContentNode => ({ type: "keyed", of: record(fields), answer: false });

export const captionsTree = (count: number, of: ContentNode = text()) => record({ captions: slots(count, of) });
export const vqaTree = (count: number) => record({ pairs: slots(count, record({ question: text(), answer: text({ answer: true }) })) });
