/** Columns and sums of the table of teams. */
import type { Answer } from "@/api/request";
import type { Benchmark, Localised } from "@/api/types";

type Row = Answer<"team_statistics">["teams"][number];
type Counts = Row["categories"][number];

interface Column {
  /** The category's code; empty for items without a category. */
  slug: string;
  /** Null for a code that is no longer in the benchmark's list. */
  name: Localised | null;
}

/** The benchmark's categories in their order, then what teams have items of beside them. */
export function columnsOf(categories: readonly Pick<Benchmark["categories"][number], "slug" | "name">[], teams: readonly Row[]): Column[] {
  const known = categories.map(({ slug, name }) => ({ slug, name }));
  const counted = new Set(teams.flatMap((row) => row.categories.map(({ category }) => category)));
  const others = [...counted].filter((code) => !known.some(({ slug }) => slug === code)).sort();
  // Items without a category come last.
  const last = others.filter((code) => code !== "").concat(others.filter((code) => code === ""));
  return [...known, ...last.map((slug) => ({ slug, name: null }))];
}

/** Sums over teams. Every picture belongs to one team, so pictures may be added, too. */
export function summed(teams: readonly Row[]): Pick<Row, "items" | "pictures" | "categories"> {
  const sums = new Map<string, Counts>();
  for (const { category, items, pictures } of teams.flatMap((row) => row.categories)) {
    const before = sums.get(category) ?? { category, items: 0, pictures: 0 };
    sums.set(category, { category, items: before.items + items, pictures: before.pictures + pictures });
  }
  return {
    items: teams.reduce((sum, row) => sum + row.items, 0),
    pictures: teams.reduce((sum, row) => sum + row.pictures, 0),
    categories: [...sums.values()],
  };
}
