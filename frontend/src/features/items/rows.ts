/** Rows of an import as people bring them: one picture a line, CSV with a heading, or JSON lines. */

export interface ImportRow {
  /** Line of the text, counted from 1. */
  line: number;
  image: string;
  slot?: number;
}

interface LineFault {
  line: number;
  code: "no_json" | "no_picture" | "slot_wrong";
}

interface ReadRows {
  rows: ImportRow[];
  faults: LineFault[];
}

const HEADINGS: Readonly<Record<string, "image" | "slot">> = { image: "image", picture: "image", label: "image", slot: "slot" };

function slotOf(value: unknown): number | undefined | null {
  if (value === undefined || value === null || value === "") return undefined;
  const slot = typeof value === "number" ? value : Number(value);
  return Number.isInteger(slot) && slot >= 0 ? slot : null;
}

function unquote(cell: string): string {
  const text = cell.trim();
  return /^".*"$/.test(text) ? text.slice(1, -1).replaceAll('""', '"').trim() : text;
}

function cellsOf(line: string): string[] {
  const separator = [",", "\t", ";"].find((one) => line.includes(one)) ?? ",";
  return line.split(separator).map(unquote);
}

function ofJson(line: string): { image: unknown; slot: unknown } | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "string" || typeof value === "number") return { image: value, slot: undefined };
    if (typeof value !== "object" || value === null) return null;
    return { image: "image" in value ? value.image : undefined, slot: "slot" in value ? value.slot : undefined };
  } catch {
    return null;
  }
}

/** Reads the text; empty lines are passed over, and every line that cannot be read is named. */
export function readRows(text: string): ReadRows {
  const read: ReadRows = { rows: [], faults: [] };
  let columns: readonly ("image" | "slot" | null)[] = ["image", "slot"];
  let isFirst = true;
  text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/).forEach((raw, index) => {
    const line = index + 1;
    const trimmed = raw.trim();
    if (trimmed === "") return;
    const begins = isFirst;
    isFirst = false;
    let image: unknown;
    let slot: unknown;
    if (trimmed.startsWith("{")) {
      const json = ofJson(trimmed);
      if (json === null) {
        read.faults.push({ line, code: "no_json" });
        return;
      }
      ({ image, slot } = json);
    } else {
      const cells = cellsOf(trimmed);
      const heading = cells.map((cell) => HEADINGS[cell.toLowerCase()] ?? null);
      if (begins && heading.includes("image")) {
        columns = heading;
        return;
      }
      image = cells[columns.indexOf("image")];
      slot = columns.includes("slot") ? cells[columns.indexOf("slot")] : undefined;
    }
    const name = typeof image === "number" ? String(image) : typeof image === "string" ? image.trim() : "";
    const place = slotOf(slot);
    if (name === "") read.faults.push({ line, code: "no_picture" });
    else if (place === null) read.faults.push({ line, code: "slot_wrong" });
    else read.rows.push(place === undefined ? { line, image: name } : { line, image: name, slot: place });
  });
  return read;
}
