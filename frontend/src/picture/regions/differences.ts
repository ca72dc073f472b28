/** What differs between two lists of regions, for those who do not see it. Pure. */
import { isEqual, type Region } from "./regions";

export type Difference<R extends Region> =
  /** `left`: how many there are afterwards. */
  | { readonly type: "added" | "removed"; readonly region: R; readonly left: number }
  | { readonly type: "placed" | "labelled"; readonly region: R };

/** The one region that differs; null where none or several do: that is another picture, or another version of it. */
export function onlyDifference<R extends Region>(before: readonly R[], after: readonly R[]): Difference<R> | null {
  const earlier = new Map(before.map((region) => [region.key, region]));
  const later = new Set(after.map(({ key }) => key));
  const found: Difference<R>[] = [];
  for (const region of before) if (!later.has(region.key)) found.push({ type: "removed", region, left: after.length });
  for (const region of after) {
    const then = earlier.get(region.key);
    if (then === undefined) found.push({ type: "added", region, left: after.length });
    else if (then.box.join() !== region.box.join()) found.push({ type: "placed", region });
    else if (!isEqual([then], [region])) found.push({ type: "labelled", region });
  }
  const [only, ...others] = found;
  return only !== undefined && others.length === 0 ? only : null;
}
