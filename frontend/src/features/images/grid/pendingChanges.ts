import type { Decision } from "./judgementQueue";

/** What judgements not sent yet will change: accepted pictures more or less, by category. */
export function pendingChanges(decisions: ReadonlyMap<number, Decision>): Map<string, number> {
  const changes = new Map<string, number>();
  const add = (slug: string | undefined, by: number) => {
    if (slug !== undefined) changes.set(slug, (changes.get(slug) ?? 0) + by);
  };
  for (const { verdict } of decisions.values()) {
    if (!verdict) continue;
    const { image, judgement } = verdict.work;
    if (image.state === "accepted") add(image.category?.slug, -1);
    if (judgement.outcome === "accepted") add(judgement.category ?? image.category?.slug, 1);
  }
  return changes;
}
