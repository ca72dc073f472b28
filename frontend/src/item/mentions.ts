/** Naming people in a comment: "@" and a name, completed while it is typed. */

export interface Mentionable {
  readonly id: number;
  /** The text after the "@". */
  readonly label: string;
}

/** Longest name looked for behind an "@", in characters. */
const LONGEST = 40;

/** The name being typed at the cursor: where its "@" is and what follows it so far; null when none is. */
export function mentionAt(text: string, cursor: number): { start: number; typed: string } | null {
  const before = text.slice(Math.max(0, cursor - LONGEST - 1), cursor);
  const match = /[@＠]([^\s@＠]*)$/u.exec(before);
  if (!match) return null;
  const start = cursor - match[0].length;
  // An address (name@example.org) names no one.
  if (/[A-Za-z0-9._-]/.test(text.charAt(start - 1))) return null;
  return { start, typed: match[1] ?? "" };
}

/** The people whose name fits what was typed: those that begin with it first. */
export function fitting<One extends Mentionable>(people: readonly One[], typed: string): One[] {
  const search = typed.toLocaleLowerCase();
  const place = ({ label }: One) => label.toLocaleLowerCase().indexOf(search);
  return people.filter((one) => place(one) >= 0).sort((a, b) => Math.sign(place(a)) - Math.sign(place(b)));
}

/** The text with the name put in, and the position of the cursor after it. */
export function complete(text: string, start: number, cursor: number, label: string): { text: string; cursor: number } {
  const put = `@${label} `;
  return { text: text.slice(0, start) + put + text.slice(cursor).replace(/^ /, ""), cursor: start + put.length };
}

interface Piece {
  readonly text: string;
  readonly person: number | null;
}

/** The text in pieces, names of people apart. Of two names that fit the longer is meant. */
export function pieces(text: string, people: readonly Mentionable[]): Piece[] {
  const known = [...people].sort((a, b) => b.label.length - a.label.length);
  const parts: Piece[] = [];
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const isSign = text[at] === "@" || text[at] === "＠";
    const person = isSign ? known.find(({ label }) => label !== "" && sameName(text.slice(at + 1, at + 1 + label.length), label)) : undefined;
    if (!person) {
      plain += text.charAt(at);
      at += 1;
      continue;
    }
    if (plain !== "") parts.push({ text: plain, person: null });
    plain = "";
    parts.push({ text: text.slice(at, at + 1 + person.label.length), person: person.id });
    at += 1 + person.label.length;
  }
  if (plain !== "") parts.push({ text: plain, person: null });
  return parts;
}

const sameName = (typed: string, label: string) => typed.toLocaleLowerCase() === label.toLocaleLowerCase();

/** What follows an "@" in the text without being the name of one of these people: no one is notified of it. Addresses are left out. */
export function unknownMentions(text: string, people: readonly Mentionable[]): string[] {
  const parts = pieces(text, people);
  const unknown = parts.flatMap(({ text: plain, person }, index) => {
    if (person !== null) return [];
    // A name may precede: in "@Wang Fang@x" the sign follows a letter, and is no address.
    const before = index > 0 ? " " : "";
    return [...`${before}${plain}`.matchAll(/(?<![A-Za-z0-9._-])[@＠]([^\s@＠，。；：、！？,;:!?()（）]+)/gu)].map((match) => match[1] ?? "");
  });
  return [...new Set(unknown)];
}

/** Whom the text names, each once. */
export function mentionsIn(text: string, people: readonly Mentionable[]): number[] {
  return [...new Set(pieces(text, people).flatMap(({ person }) => (person === null ? [] : [person])))];
}
