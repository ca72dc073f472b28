/**
 * Bounds on what the Markdown parser is given. Its time grows with the square of the marks in a paragraph (30,000 times
 * "*a" took 4.8 s), of a run of blanks, dots or other equal characters (60,000 took 4 to 7 s) and of the lines of a list
 * (30,000 took 40 s), and it calls itself for every quote or list within another, until the stack is full.
 */

const MOST_MARKS = 2_000; // in one paragraph, about 20 ms
const MOST_MARKS_IN_ALL = 10_000;
const MOST_LINES = 500; // without an empty line; a list's lines are read again for each of them
const MOST_CELLS = 10_000; // of a table
const DEEPEST = 50; // quotes and lists within each other

const MARKS = /[*_~`[\]!<&]/g;
/** More than 200 equal characters in a row, line ends included. */
const LONG_RUN = /([\s\S])\1{200}/u;
/** Addresses are looked for in every word of Latin letters. */
const LONG_WORD = /[!-~]{2001}/;
/** What opens quotes and lists at the start of a line; indentation nests as well. */
const OPENERS = /^(?:[ \t]|>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))+/;

export function isHeavy(text: string): boolean {
  const paragraphs = text.split(/\n[ \t]*\n/);
  const marks = paragraphs.map((paragraph) => paragraph.match(MARKS)?.length ?? 0);
  return (
    marks.some((count) => count > MOST_MARKS) ||
    marks.reduce((sum, count) => sum + count, 0) > MOST_MARKS_IN_ALL ||
    paragraphs.some(hasManyLines) ||
    LONG_RUN.test(text) ||
    LONG_WORD.test(text) ||
    text.split("\n").some(isDeep)
  );
}

/** A table fills up short rows, so its cells are its rows times the columns of its head. */
function hasManyLines(paragraph: string): boolean {
  const lines = paragraph.split("\n");
  if (lines.length > MOST_LINES) return true;
  const columns = Math.max(...lines.map((line) => line.split("|").length));
  return columns > 1 && lines.length * columns > MOST_CELLS;
}

function isDeep(line: string): boolean {
  const openers = OPENERS.exec(line)?.[0] ?? "";
  const indentation = openers.replace(/[^ \t]/g, "").length / 2;
  return openers.replace(/[ \t\d]/g, "").length + indentation > DEEPEST;
}
