/**
 * Text fields of a content, for every kind that has some. A field goes by the path that the server
 * uses in findings: "captions.2", "pairs.0.answer".
 */
import type { Finding } from "@/api/types";
import type { Content } from "../kind";
import { carrySpans, editBetween, type Span } from "./spans";

/** The text at a path, or null where the path names no text field. */
type TextAt = (content: Content, path: string) => string | null;

/**
 * Findings of `before`, fitted to `after` while the server has not looked at it yet: marks stay
 * on their characters where the edit did not touch them.
 */
export function carryFindings(findings: readonly Finding[], before: Content, after: Content, textAt: TextAt): Finding[] {
  // Once for each field, however many marks it has.
  const edits = new Map<string, ReturnType<typeof editBetween> | null>();
  const editOf = (field: string) => {
    let edit = edits.get(field);
    if (edit === undefined) {
      const old = textAt(before, field);
      edit = old === null ? null : editBetween(old, textAt(after, field) ?? "");
      edits.set(field, edit);
    }
    return edit;
  };
  return findings.map((finding) => ({
    ...finding,
    spans: finding.spans.flatMap((span) => {
      const edit = editOf(span.field);
      return edit === null ? [] : carrySpans(edit, [span]).map((moved) => ({ ...moved, field: span.field }));
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
 * Texts in which each code point is a character of its own: without marks, format characters, flags, skin tones, Hangul,
 * and the few letters that join their neighbours.
 */
const ONE_BY_ONE =
  /^[^\p{M}\p{C}\p{Zl}\p{Zp}\p{RI}\p{EMod}\p{Script=Hangul}\u0e33\u0eb3\uff9e\uff9f\u0d4e\u{111c2}\u{111c3}\u{113d1}\u{16d63}\u{16d67}-\u{16d6a}\u{1193f}\u{11941}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]*$/u;
/** Hangul's fillers are letters that show nothing. */
const LETTERS = /(?!\p{DI})[\p{L}\p{N}]/gu;
const BEGINS_WITH_LETTER = /^\p{DI}*(?!\p{DI})[\p{L}\p{N}]/u;
const BLANK = /^[\p{Z}\p{C}\p{DI}\u2800]*$/u;

/** The most code units of a text that the server stores; it takes 1,000 code points. */
const LONGEST = 2_000;
/** More marks on one character than any language has; normalising them takes the square of their number. */
const STACKED = /\p{M}{31}/u;

/** Whether a text is empty or has only blanks and invisible characters, by the server's rule (curation/core/text.py). */
export function showsNothing(text: string): boolean {
  return BLANK.test(text);
}

/** Whether each code point of a text is a character of its own. */
export function countsAsOne(text: string): boolean {
  return ONE_BY_ONE.test(text);
}

/**
 * How long a text looks while it is being typed: grapheme clusters whose first visible character is a letter or a
 * number, so that punctuation, spaces and emoji do not count. Whether that is enough is for the
 * server to say; its own count is in the finding. A text that no server stores is counted by
 * code points, so that typing in it stays quick.
 */
export function lettersIn(text: string): number {
  if (countsAsOne(text)) return text.match(LETTERS)?.length ?? 0;
  if (text.length > LONGEST) return (STACKED.test(text) ? text : text.normalize("NFC")).match(LETTERS)?.length ?? 0;
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  let count = 0;
  for (const { segment } of segmenter.segment(text.normalize("NFC"))) {
    if (BEGINS_WITH_LETTER.test(segment)) count += 1;
  }
  return count;
}
