/**
 * Bounds on what the Markdown parser is given. Its time grows with the square of the marks in a paragraph (30,000 times
 * "*a" took 4.8 s), and it calls itself for every quote or list within another, until the stack is full.
 */

const MOST_MARKS = 2_000; // in one paragraph, about 20 ms
const DEEPEST = 50; // quotes and lists within each other

const MARKS = /[*_~`[\]!<]/g;
/** What opens quotes and lists at the start of a line; indentation nests as well. */
const OPENERS = /^(?:[ \t]|>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))+/;

export function isHeavy(text: string): boolean {
  return text.split(/\n[ \t]*\n/).some((paragraph) => (paragraph.match(MARKS)?.length ?? 0) > MOST_MARKS || paragraph.split("\n").some(isDeep));
}

function isDeep(line: string): boolean {
  const openers = OPENERS.exec(line)?.[0] ?? "";
  const indentation = openers.replace(/[^ \t]/g, "").length / 2;
  return openers.replace(/[ \t\d]/g, "").length + indentation > DEEPEST;
}
