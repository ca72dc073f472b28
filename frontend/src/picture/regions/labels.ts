/** Finds labels by part of a name, in any language or as pinyin, and remembers those used last. */

export interface LabelChoice {
  readonly code: string;
  /** In the reader's language. */
  readonly name: string;
  /** What finds it: names in every language, toneless pinyin, initials. */
  readonly search: readonly string[];
  /** Marks the label that the picture is mainly about. */
  readonly isMain?: boolean;
}

/** Letters alone: without case, tones, blanks and signs, so that "Wǔ shī" finds what "wushi" does. */
export function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\p{P}\p{S}\p{Z}\p{C}]/gu, "")
    .toLowerCase();
}

/**
 * The labels that match what was typed: names that begin with it before those that contain it, and among them those used
 * last. Without anything typed: those used last, then the main one, then the rest as listed.
 */
export function matching(choices: readonly LabelChoice[], typed: string, recent: readonly string[]): LabelChoice[] {
  const sought = plain(typed);
  const ranked = choices.flatMap((choice, at) => {
    const fit = sought === "" ? 0 : fitOf(choice, sought);
    if (fit === null) return [];
    const used = recent.indexOf(choice.code);
    return [{ choice, rank: [fit, used === -1 ? recent.length : used, choice.isMain === true ? 0 : 1, at] as const }];
  });
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ choice }) => choice);
}

/** 0 where a name is what was typed, 1 where one begins with it, 2 where one contains it; null where none does. */
function fitOf({ name, code, search }: LabelChoice, sought: string): number | null {
  const names = [name, ...search, code].map(plain);
  if (names.includes(sought)) return 0;
  if (names.some((one) => one.startsWith(sought))) return 1;
  return names.some((one) => one.includes(sought)) ? 2 : null;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

const MOST_RECENT = 8;

/** The labels used last, this one first. */
export function used(recent: readonly string[], code: string): string[] {
  return [code, ...recent.filter((one) => one !== code)].slice(0, MOST_RECENT);
}
