/** A list of categories as a table in the browser: its columns, CSV, pasted cells, and faults by cell. */
import type { CategoryListFault } from "@/api/types";
import { LANGUAGES } from "@/i18n/languages";

export type Row = Readonly<Record<string, string>>;

const texts = (name: string) => LANGUAGES.map((language) => `${name}_${language}`);

/** The columns that every list has. */
export const MAIN_COLUMNS: readonly string[] = [...texts("name"), ...texts("field"), "group"];
export const MORE_COLUMNS: readonly string[] = ["reason", ...texts("definition"), ...texts("short"), "slug", "field_slug"];
export const COLUMNS: readonly string[] = [...MAIN_COLUMNS, ...MORE_COLUMNS];
export const GROUPS = ["", "coco", "moderate", "closest"] as const;

export function isEmpty(row: Row): boolean {
  return Object.values(row).every((cell) => cell.trim() === "");
}

/** The strings that find a row: those that the server computed, until then its names. */
export function searchOf(row: Row, computed: Row | undefined): string[] {
  const names = texts("name").map((column) => (row[column] ?? "").toLowerCase());
  return [...names, ...(computed?.search ?? "").split("\n")];
}

/** The rows that have text. Empty ones at the end are for typing. */
export function filled(rows: readonly Row[]): Row[] {
  return rows.filter((row) => !isEmpty(row));
}

const quoted = (cell: string) => (/[",\n\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The table as CSV; line n of it is row n - 1. Rows without text are left out. */
export function toCsv(rows: readonly Row[]): string {
  const used = COLUMNS.filter((column) => MAIN_COLUMNS.includes(column) || rows.some((row) => (row[column] ?? "") !== ""));
  const flat = (cell: string) => quoted(cell.replaceAll(/\s+/g, " "));
  return [used.join(","), ...filled(rows).map((row) => used.map((column) => flat(row[column] ?? "")).join(","))].join("\n");
}

/** Puts cells copied from a spreadsheet into the table, from a cell on; null for a text that is a single cell. */
export function pasted(rows: readonly Row[], columns: readonly string[], at: { row: number; column: number }, text: string): Row[] | null {
  if (!/[\t\n]/.test(text.trimEnd())) return null;
  const lines = text.replaceAll("\r", "").trimEnd().split("\n");
  const result = [...rows];
  lines.forEach((line, n) => {
    const cells = line.split("\t").slice(0, columns.length - at.column);
    const changed = Object.fromEntries(cells.map((cell, m) => [columns[at.column + m] ?? "", cell.trim()]));
    result[at.row + n] = { ...result[at.row + n], ...changed };
  });
  // Rows between the table's end and the place of the text are holes of the array.
  return Array.from(result, (row: Row | undefined) => row ?? {});
}

/** Faults by row of the table and column; those of no row have the row -1. */
export function byCell(rows: readonly Row[], faults: readonly CategoryListFault[]): Map<string, CategoryListFault> {
  const places = rows.flatMap((row, place) => (isEmpty(row) ? [] : [place]));
  return new Map(faults.map((fault) => [`${String(places[fault.line - 2] ?? -1)} ${fault.column}`, fault] as const).reverse());
}

/** The row of a fault as the table counts them, from 1. */
export function rowOf(rows: readonly Row[], line: number): number {
  const places = rows.flatMap((row, place) => (isEmpty(row) ? [] : [place]));
  return (places[line - 2] ?? 0) + 1;
}

/** The table with the groups that the server computed, where a row has none; `computed` has the rows with text. */
export function withGroups(rows: readonly Row[], computed: readonly Row[]): Row[] {
  let place = -1;
  return rows.map((row) => {
    if (isEmpty(row)) return row;
    place += 1;
    return (row.group ?? "") !== "" ? row : { ...row, group: computed[place]?.computed_group ?? "" };
  });
}

/** A file's text. Spreadsheets in Chinese write CSV in GB 18030, also called GBK, where it is not UTF-8. */
export function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}

/** A file of each form with one category, to start from. */
export const EXAMPLES = {
  csv: "name_zh-Hans,name_zh-Hant,name_en,field_zh-Hans,field_zh-Hant,field_en,group\n花灯,花燈,lantern,节庆,節慶,Festivals,\n",
  yaml: `name: categories
source: ""
fields:
  - slug: festivals
    name: {zh-Hans: 节庆, zh-Hant: 節慶, en: Festivals}
    categories:
      - slug: lantern
        number: 1
        name: {zh-Hans: 花灯, zh-Hant: 花燈, en: lantern}
`,
} as const;
