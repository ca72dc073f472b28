/** The object counts of a picture, and a subset's limits for them. Pure. */
import type { ImageObjects } from "@/api/types";
import { countsFor, type Bounds, type CountName, type Subset } from "../protocol";

/** What is in the fields; empty until something is typed. */
export type Typed = Readonly<Record<CountName, string>>;

export interface CountFault {
  field: CountName;
  fault: "empty" | "more_than_all" | "more_than_listed" | "out_of_rule";
  bounds?: Bounds;
}

function numberIn(text: string): number | null {
  return /^\d{1,4}$/.test(text.trim()) ? Number(text) : null;
}

/** Validates the counts: none may exceed the one before it or leave the subset's limits. */
export function faultsIn(typed: Typed, subset: Subset): CountFault[] {
  const all = numberIn(typed.all);
  const listed = numberIn(typed.listed);
  const main = numberIn(typed.main);
  const categories = numberIn(typed.categories);
  const faults: CountFault[] = [];
  const values = { all, listed, categories, main };
  for (const field of countsFor(subset)) {
    const value = values[field];
    if (value === null) {
      faults.push({ field, fault: "empty" });
      continue;
    }
    const bounds = subset.objects?.[field];
    if (bounds && (value < (bounds.minimum ?? 0) || value > (bounds.maximum ?? Infinity))) {
      faults.push({ field, fault: "out_of_rule", bounds });
    }
  }
  if (all !== null && listed !== null && listed > all) faults.push({ field: "listed", fault: "more_than_all" });
  if (listed !== null && categories !== null && categories > listed) faults.push({ field: "categories", fault: "more_than_listed" });
  if (listed !== null && main !== null && main > listed) faults.push({ field: "main", fault: "more_than_listed" });
  return faults;
}

/** The counts as the server wants them; null while one is missing. */
export function countsOf(typed: Typed): ImageObjects | null {
  const all = numberIn(typed.all);
  const listed = numberIn(typed.listed);
  const main = numberIn(typed.main);
  if (all === null || listed === null || main === null) return null;
  return { all, listed, categories: numberIn(typed.categories), main };
}

export function typedOf(objects: ImageObjects | null): Typed {
  const text = (value: number | null | undefined) => (value == null ? "" : String(value));
  return { all: text(objects?.all), listed: text(objects?.listed), categories: text(objects?.categories), main: text(objects?.main) };
}
