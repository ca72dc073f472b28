/** Pure operations on a picture's captions. */
import type { RulesOf, WorkRules } from "@/api/types";
import type { Content } from "../kind";

/** The captions in an item's content, which the API carries as an open object. */
export function captionsOf(content: Content): string[] {
  const { captions } = content as { captions?: string[] };
  return captions ?? [];
}

/** The rules, which the API carries as one of several shapes. */
export function rulesOf(rules: WorkRules): RulesOf<"captions"> {
  if (rules.kind !== "captions") throw new Error(`rules of ${rules.kind}, not of captions`);
  return rules;
}

export function emptyCaptions(rules: WorkRules): Content {
  return { captions: Array.from({ length: rules.slots }, () => "") };
}

/** "captions.2" → 2; anything else concerns the captions as a whole. */
export function slotOf(path: string): number | null {
  const index = /^captions\.(\d+)$/.exec(path)?.[1];
  return index === undefined ? null : Number(index);
}

export function captionAt(content: Content, path: string): string | null {
  const slot = slotOf(path);
  return slot === null ? null : (captionsOf(content)[slot] ?? "");
}

export function firstEmptySlot(content: Content): number | null {
  const index = captionsOf(content).findIndex((caption) => caption.trim() === "");
  return index === -1 ? null : index;
}
