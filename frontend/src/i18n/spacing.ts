/** Blanks between Chinese and Latin letters or digits, where a value meets the text around it: "16:00 重置". */

const ENDS_IN = { han: /\p{Script=Han}$/u, latin: /[\p{Script=Latin}\d%]$/u };
const STARTS_WITH = { han: /^\p{Script=Han}/u, latin: /^[\p{Script=Latin}\d%]/u };

function gap(left: string, right: string): string {
  const meet = (ENDS_IN.han.test(left) && STARTS_WITH.latin.test(right)) || (ENDS_IN.latin.test(left) && STARTS_WITH.han.test(right));
  return meet ? " " : "";
}

/** Joins parts of a text; the parts themselves stay as they are. */
export function joinSpaced(parts: readonly string[]): string {
  return parts.reduce((text, part) => text + gap(text, part) + part, "");
}

/** Marks where a value that is filled into a text begins and ends; such a character is in no text that people write. */
const EDGE = "\uE0FF";

/** Numbers stay bare: the texts have their blanks, and `$t(key, {"count": {{count}}})` reads them as JSON. */
export const markValue = (value: unknown): string => (typeof value === "string" ? EDGE + value + EDGE : String(value));

/** Replaces the marks of a text by blanks where they are needed. */
export const spaceValues = (text: string): string => (text.includes(EDGE) ? joinSpaced(text.split(EDGE)) : text);
