/** Where a board's figures lead: the samples behind them. */

interface SampleFilter {
  readonly run: number;
  readonly scope: string;
  /** Counts a query as found when its rank is among the first so many. */
  readonly at?: number;
  readonly outcome?: "hit" | "miss" | "missing";
  readonly groupBy?: string;
  readonly group?: string;
}

export function samplesAddress(slug: string, release: number, filter: SampleFilter): string {
  const query = new URLSearchParams({ run: String(filter.run), scope: filter.scope });
  if (filter.at !== undefined) query.set("at", String(filter.at));
  if (filter.outcome !== undefined) query.set("outcome", filter.outcome);
  if (filter.groupBy !== undefined && filter.groupBy !== "" && filter.group !== undefined) query.set(filter.groupBy, filter.group);
  return `/b/${slug}/releases/${release}/samples?${query.toString()}`;
}

/** What a link to a sample carries in its state: the list it was opened from, and that list's address. */
export interface FromSamples {
  readonly samples: readonly number[];
  readonly search: string;
}

export function fromSamples(state: unknown): FromSamples | null {
  if (typeof state !== "object" || state === null || !("samples" in state) || !("search" in state)) return null;
  const { samples, search } = state;
  if (!Array.isArray(samples) || typeof search !== "string") return null;
  return { samples: samples.filter((one): one is number => typeof one === "number"), search };
}

/** The previous and next samples: in the list that the page was opened from, else in the gallery's order. */
export function beside(
  ordinal: number,
  list: FromSamples | null,
  gallery: { previous: number | null; next: number | null },
): { previous: number | null; next: number | null } {
  const at = list?.samples.indexOf(ordinal) ?? -1;
  if (list === null || at === -1) return gallery;
  return { previous: list.samples[at - 1] ?? null, next: list.samples[at + 1] ?? null };
}
