/** Faults of a protocol's text: their positions and messages. */
import type { TFunction } from "i18next";
import type { Fault } from "@/api/types";
import { LANGUAGE_NAMES, LANGUAGES } from "@/i18n/languages";

/** Faults by line, counted from 1. */
export function byLine(faults: readonly Fault[]): Map<number, Fault[]> {
  const lines = new Map<number, Fault[]>();
  for (const fault of faults) lines.set(fault.line, [...(lines.get(fault.line) ?? []), fault]);
  return lines;
}

/** The start and end of a line in the text; past the last line both are the end. */
export function lineRange(text: string, line: number): [start: number, end: number] {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf("\n", start);
    if (next === -1) return [text.length, text.length];
    start = next + 1;
  }
  const end = text.indexOf("\n", start);
  return [start, end === -1 ? text.length : end];
}

/** The 1-based line of a position in the text. */
export function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < place; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

export function lineCount(text: string): number {
  return text.split("\n").length;
}

/** The next line with a fault, wrapping around at the end; null without faults. */
export function nextFaultyLine(faults: readonly Fault[], after: number): number | null {
  const lines = [...byLine(faults).keys()].sort((a, b) => a - b);
  return lines.find((line) => line > after) ?? lines[0] ?? null;
}

/**
 * Where something is in a file, in words: `fields.0.name` is "Fields › entry 1 › Name". `isList`: a list of categories, whose
 * keys are named in the reader's language; a protocol's keys stay as they are typed.
 */
export function placeText(t: TFunction, path: string, { isList = false } = {}): string {
  const part = (key: string) => {
    if (/^\d+$/.test(key)) return t("benchmarks:place.entry", { number: Number(key) + 1 });
    const language = LANGUAGES.find((one) => one === key);
    if (!isList) return key;
    return language === undefined ? t([`benchmarks:place.${key}`, "benchmarks:lists.fault.other"], { message: key }) : LANGUAGE_NAMES[language];
  };
  return path.split(".").map(part).join(" › ");
}

/** A fault's message: translated where its code is known, else the server's text. */
export function faultText(t: TFunction, fault: Fault): string {
  return t([`benchmarks:fault.${fault.code}`, "benchmarks:fault.other"], { ...fault.params, message: fault.message });
}
