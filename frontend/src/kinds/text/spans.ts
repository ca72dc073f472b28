/**
 * Marks in a text: which stretches a finding speaks about.
 *
 * Offsets are UTF-16 code units, which is what the server sends and what JavaScript strings,
 * textareas and selections count in.
 */

export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Segment {
  readonly text: string;
  readonly marked: boolean;
}

/** Sorts, clips to the text and joins spans that touch or overlap; empty ones go. */
function normaliseSpans(length: number, spans: readonly Span[]): Span[] {
  const clipped = spans
    .map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(length, end) }))
    .filter(({ start, end }) => start < end)
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const joined: Span[] = [];
  for (const span of clipped) {
    const last = joined.at(-1);
    if (last && span.start <= last.end) {
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    } else {
      joined.push(span);
    }
  }
  return joined;
}

/** Cuts a text into marked and unmarked stretches that together are the text again. */
export function segmentsOf(text: string, spans: readonly Span[]): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const { start, end } of normaliseSpans(text.length, spans)) {
    if (start > at) segments.push({ text: text.slice(at, start), marked: false });
    segments.push({ text: text.slice(start, end), marked: true });
    at = end;
  }
  if (at < text.length) segments.push({ text: text.slice(at), marked: false });
  return segments;
}

/** What is the same before and after an edit, and how far the rest moved. */
interface Edit {
  /** End of the unchanged beginning. */
  readonly head: number;
  /** Start of the unchanged end, in the text before. */
  readonly tailStart: number;
  readonly shift: number;
}

export function editBetween(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return { head, tailStart: before.length - tail, shift: after.length - before.length };
}

/**
 * Carries spans over an edit, so that marks stay on their characters until the server has
 * looked at the new text. Spans before the edit stay, spans after it move along, spans that the
 * edit touches are dropped rather than guessed.
 */
export function carrySpans({ head, tailStart, shift }: Edit, spans: readonly Span[]): Span[] {
  return spans.flatMap(({ start, end }) => {
    if (end <= head) return [{ start, end }];
    if (start >= tailStart) return [{ start: start + shift, end: end + shift }];
    return [];
  });
}

/** A pasted text as one line: line breaks and the blanks around them become one space. */
export function inOneLine(text: string): string {
  const lines = text.split(/[\r\n\u2028\u2029]+/);
  const last = lines.length - 1;
  const parts = lines.map((line, index) => (index > 0 ? line.trimStart() : line)).map((line, index) => (index < last ? line.trimEnd() : line));
  return parts.filter((part, index) => index === 0 || index === last || part !== "").join(" ");
}

/** The marked stretches themselves, in order, without repeats: "舞狮 · 前的". */
export function markedTexts(text: string, spans: readonly Span[]): string[] {
  const marked = normaliseSpans(text.length, spans).map(({ start, end }) => text.slice(start, end));
  return [...new Set(marked)];
}
