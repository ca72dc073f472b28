/** Faults of a protocol's text: where they stand and what they say. */
import type { TFunction } from "i18next";
import type { Fault } from "@/api/types";

/** Faults by line, counted from 1. */
export function byLine(faults: readonly Fault[]): Map<number, Fault[]> {
  const lines = new Map<number, Fault[]>();
  for (const fault of faults) lines.set(fault.line, [...(lines.get(fault.line) ?? []), fault]);
  return lines;
}

/** Where a line begins and ends in the text; a line behind the last is the end. */
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

/** The line, counted from 1, that a place in the text stands on. */
export function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < place; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

export function lineCount(text: string): number {
  return text.split("\n").length;
}

/** The next faulty line after the one given, beginning anew at the end; null where there is none. */
export function nextFaultyLine(faults: readonly Fault[], after: number): number | null {
  const lines = [...byLine(faults).keys()].sort((a, b) => a - b);
  return lines.find((line) => line > after) ?? lines[0] ?? null;
}

/** What the fault says, in the reader's language where its code is known; otherwise as the server words it. */
export function faultText(t: TFunction, fault: Fault): string {
  return t([`benchmarks:fault.${fault.code}`, "benchmarks:fault.other"], { ...fault.params, message: fault.message });
}
