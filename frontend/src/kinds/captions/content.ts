/** Pure operations on a picture's captions. */
import type { CaptionsContent, Finding, RulesOf, WorkRules } from "@/api/types";
import type { Content } from "../kind";
import { carrySpans } from "./spans";

/** The captions in an item's content, which the API carries as an open object. */
export function captionsOf(content: Content): string[] {
  const { captions } = content as Partial<CaptionsContent>;
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
export function slotOf(field: string): number | null {
  const found = /^captions\.(\d+)$/.exec(field)?.[1];
  return found === undefined ? null : Number(found);
}

export function firstEmptySlot(content: Content): number | null {
  const index = captionsOf(content).findIndex((caption) => caption.trim() === "");
  return index === -1 ? null : index;
}

/**
 * Findings of `before`, fitted to `after` while the server has not looked at it yet: marks stay
 * on their characters where the edit did not touch them.
 */
export function carryFindings(findings: readonly Finding[], before: Content, after: Content): Finding[] {
  const [old, now] = [captionsOf(before), captionsOf(after)];
  return findings.map((finding) => ({
    ...finding,
    spans: finding.spans.flatMap((span) => {
      const slot = slotOf(span.field);
      if (slot === null) return [];
      return carrySpans(old[slot] ?? "", now[slot] ?? "", [span]).map((moved) => ({
        ...moved,
        field: span.field,
      }));
    }),
  }));
}

/** Findings to show under one caption. */
export function findingsOf(findings: readonly Finding[], slot: number): Finding[] {
  return findings.filter((finding) => slotOf(finding.field) === slot);
}

/** Everything marked in one caption, whichever finding the mark comes from. */
export function marksIn(findings: readonly Finding[], slot: number): { start: number; end: number }[] {
  return findings.flatMap((finding) => finding.spans.filter((span) => slotOf(span.field) === slot));
}

let segmenter: Intl.Segmenter | null = null;

/**
 * How long a caption looks while it is being typed: grapheme clusters that begin with a letter or
 * a number, so that punctuation, spaces and emoji do not count. Whether that is enough is for the
 * server to say; its own count stands in the finding.
 */
export function lettersIn(text: string): number {
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  let count = 0;
  for (const { segment } of segmenter.segment(text.normalize("NFC"))) {
    if (/^[\p{L}\p{N}]/u.test(segment)) count += 1;
  }
  return count;
}
