/** What a reader of files expected at a place, in the reader's words: the server names it in English. */
import { useTranslation } from "react-i18next";

/** The server's words, and the key of their translation below `submissions:expected`: the desk, which loads `ui`, reads no files. */
const TEXTS: Readonly<Record<string, string>> = {
  "a list": "list",
  text: "text",
  "a number": "number",
  "a whole number": "whole_number",
  "a value": "value",
  "an object": "object",
  "an id, text or a whole number": "id",
  "one JSON object in UTF-8 on each line": "line",
  JSON: "json",
  "JSON that does not break off": "whole",
  "a JSON array": "array",
  "UTF-8": "utf8",
  "JSON lines, a JSON array, or CSV with a line of names": "form",
  "at least one question": "question",
  "files that a worker can read within its limits": "readable_files",
  "the right answer": "answer",
  "the right answer as text": "answer_text",
  "[x, y, width, height]": "box",
  "a letter from A, or a number from 0": "letter",
  "letters from A to H": "letters",
  "a letter, letters, or a list of texts": "cmmu_answer",
  "two to eight options, and the letter of one of them in answer": "cmmu_options",
};

/** Words with something of the file in them, which is `what` in the translation, or `count` where it is a number. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^the right answer of (.+); a file that withholds right answers can be answered, not scored$/su, "withheld"],
  [/^each id once; (.+) came before$/su, "once"],
  [/^at most (\d+) characters$/u, "characters"],
  [/^rows of at most (\d+) characters$/u, "row_characters"],
  [/^(\d+) fields$/u, "fields"],
  [/^(CSV|Parquet) .*\(.+\)$/su, "readable"],
];

/** `own` are keys of translations that fit one kind of file better. */
export function useExpected(own: Readonly<Record<string, string>> = {}): (expected: string) => string {
  const { t } = useTranslation("submissions");
  return (expected) => {
    const text = own[expected] ?? TEXTS[expected];
    if (text !== undefined) return t(`expected.${text}`);
    for (const [pattern, name] of PATTERNS) {
      const what = pattern.exec(expected)?.[1];
      if (what !== undefined) return t(`expected.${name}`, { what, count: Number(what) });
    }
    return expected;
  };
}
