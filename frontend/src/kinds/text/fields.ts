/**
 * Text fields of a content, for every kind that has some. A field goes by the path that the server
 * uses in findings: "captions.2", "pairs.0.answer".
 */
import type { Finding } from "@/api/types";
import type { Content } from "../kind";
import { carrySpans, type Span } from "./spans";

/** The text at a path, or null where the path names no text field. */
type TextAt = (content: Content, path: string) => string | null;

/**
 * Findings of `before`, fitted to `after` while the server has not looked at it yet: marks stay
 * on their characters where the edit did not touch them.
 */
export function carryFindings(findings: readonly Finding[], before: Content, after: Content, textAt: TextAt): Finding[] {
  return findings.map((finding) => ({
    ...finding,
    spans: finding.spans.flatMap((span) => {
      const old = textAt(before, span.field);
      if (old === null) return [];
      return carrySpans(old, textAt(after, span.field) ?? "", [span]).map((moved) => ({ ...moved, field: span.field }));
    }),
  }));
}

/** Findings to show under one field. */
export function findingsOf(findings: readonly Finding[], path: string): Finding[] {
  return findings.filter((finding) => finding.field === path);
}

/** Everything marked in one field, whichever finding the mark comes from. */
export function marksIn(findings: readonly Finding[], path: string): Span[] {
  return findings.flatMap((finding) => finding.spans.filter((span) => span.field === path));
}

let segmenter: Intl.Segmenter | null = null;

/**
 * How long a text looks while it is being typed: grapheme clusters that begin with a letter or a
 * number, so that punctuation, spaces and emoji do not count. Whether that is enough is for the
 * server to say; its own count is in the finding.
 */
export function lettersIn(text: string): number {
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  let count = 0;
  for (const { segment } of segmenter.segment(text.normalize("NFC"))) {
    if (/^[\p{L}\p{N}]/u.test(segment)) count += 1;
  }
  return count;
}
