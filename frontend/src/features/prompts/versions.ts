/** The versions of prompts: their order, their addresses, and the faults of a text. */
import type { TFunction } from "i18next";
import type { ApiError } from "@/api/errors";
import type { Fault, PromptRow } from "@/api/types";

/** One version in all its languages. */
export interface PromptVersion {
  name: string;
  no: number;
  /** The rows by language; they share everything but text and hash, and own versions have one. */
  rows: PromptRow[];
}

/** Rows by name and number, in the order of the list. */
export function versionsOf(rows: readonly PromptRow[]): PromptVersion[] {
  const versions = new Map<string, PromptVersion>();
  for (const row of rows) {
    const key = `${row.name} ${String(row.no)}`;
    const version = versions.get(key) ?? { name: row.name, no: row.no, rows: [] };
    version.rows.push(row);
    versions.set(key, version);
  }
  return [...versions.values()];
}

export function promptPath(slug: string, row: Pick<PromptRow, "name" | "language" | "no">): string {
  return `/b/${slug}/prompts/${row.name}/${row.language}/${String(row.no)}`;
}

/** The faults of a text by line, where that is why the server refused it. */
export function faultsIn(error: ApiError | null): Fault[] {
  if (error === null || (error.code !== "prompt_variable" && error.code !== "file_invalid")) return [];
  return (error.params.faults as Fault[] | undefined) ?? [];
}

/** A fault's message: translated where its code is known, else the server's text. */
export function faultText(t: TFunction, fault: Fault): string {
  return t([`prompts:fault.${fault.code}`, `benchmarks:fault.${fault.code}`, "benchmarks:fault.other"], { ...fault.params, message: fault.message });
}

/** The start and end of a line, counted from 1, in a text; past the last line both are the end. */
export function lineRange(text: string, line: number): [start: number, end: number] {
  const lines = text.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  if (line > lines.length) return [text.length, text.length];
  return [start, start + (lines[line - 1] ?? "").length];
}

/** Selects a line of a text that is edited. */
export function goToLine(area: HTMLTextAreaElement | null, line: number): void {
  if (area === null) return;
  const [start, end] = lineRange(area.value, line);
  area.focus();
  area.setSelectionRange(start, end);
}
