/** The benchmark in the address, which nearly every screen needs: its protocol, categories and reasons. */
import { useParams } from "react-router";
import { useRead } from "./queries";
import type { Reason } from "./types";

/** The slug in the address; only for screens under /b/:slug. */
export function useSlug(): string {
  const { slug } = useParams();
  if (slug === undefined) throw new Error("useSlug stands outside /b/:slug");
  return slug;
}

export function useBenchmark(slug: string) {
  return useRead("benchmark_show", { path: { b: slug } }, { staleTime: 300_000 });
}

/** The value at a path of keys inside the protocol, or undefined. */
export function inProtocol(content: unknown, ...keys: readonly string[]): unknown {
  let value: unknown = content;
  for (const key of keys) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** A list of reasons in the protocol; what does not have the shape of a reason is left out. */
export function reasonsIn(content: unknown, ...keys: readonly string[]): Reason[] {
  const value = inProtocol(content, ...keys);
  if (!Array.isArray(value)) return [];
  return value.filter(
    (entry: unknown): entry is Reason =>
      typeof entry === "object" && entry !== null && "code" in entry && typeof entry.code === "string" && "name" in entry,
  );
}
