/** The benchmark in the address, which nearly every screen needs: its protocol, categories and reasons. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { useLocalised } from "@/i18n/localised";
import { useRead } from "./queries";
import type { Benchmark, Localised, Reason, Track } from "./types";

/** The slug in the address; only for screens under /b/:slug. */
export function useSlug(): string {
  const { slug } = useParams();
  if (slug === undefined) throw new Error("useSlug stands outside /b/:slug");
  return slug;
}

export function useBenchmark(slug: string, { enabled = true }: { enabled?: boolean } = {}) {
  return useRead("benchmark_show", { path: { b: slug } }, { staleTime: 300_000, enabled });
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

/** The track in which the protocol has people work on a kind. */
export function trackOf(content: unknown, kind: string): Track {
  return (inProtocol(content, "kinds", kind, "track") as Track | undefined) ?? "package";
}

/** The tracks of a protocol's kinds. A protocol without kinds, or that is not loaded yet, has packages. */
function tracksIn(content: unknown): readonly Track[] {
  const kinds = Object.keys(inProtocol(content, "kinds") ?? {});
  return kinds.length === 0 ? ["package"] : [...new Set(kinds.map((kind) => trackOf(content, kind)))];
}

/** The tracks of a benchmark's kinds; without a benchmark as while it is loaded. */
export function useTracks(slug: string | undefined): readonly Track[] {
  return tracksIn(useBenchmark(slug ?? "", { enabled: slug !== undefined }).data?.protocol.content);
}

/** Whether a benchmark's protocol has a category board. */
export function useHasBoard(slug: string | undefined): boolean {
  const content = useBenchmark(slug ?? "", { enabled: slug !== undefined }).data?.protocol.content;
  return typeof (inProtocol(content, "taxonomy", "board") ?? undefined) === "object";
}

/**
 * The language that people write a benchmark's texts in, a BCP 47 tag, for lists that show texts without their
 * content; undefined where each team writes in its own, which rows of such lists name. Where an item's rules are known, each text has its own language in `rules.content`.
 */
export function useContentLanguage(slug: string): string | undefined {
  const language = inProtocol(useBenchmark(slug).data?.protocol.content, "languages", "content");
  return typeof language === "string" && language !== "team" ? language : undefined;
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

/** The names that the protocol gives to codes of reasons, roles and checks. The first one found counts. */
function codeNames(content: unknown): Map<string, Localised> {
  const names = new Map<string, Localised>();
  const walk = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    if ("code" in value && typeof value.code === "string" && "name" in value && typeof value.name === "object") {
      if (!names.has(value.code)) names.set(value.code, value.name as Localised);
    }
    for (const inner of Object.values(value)) walk(inner);
  };
  walk(content);
  return names;
}

/** The protocol's name for a code in the reader's language; the code itself when it has none. */
export function useReasonName(slug: string): (code: string) => string {
  const content = useBenchmark(slug).data?.protocol.content;
  const name = useLocalised();
  const names = useMemo(() => codeNames(content), [content]);
  return (code) => name(names.get(code)) || code;
}

/** What the protocol calls a role; a role of the whole site has the application's own name. */
export function useRoleName(benchmark: Benchmark | undefined): (role: string) => string {
  const { t } = useTranslation("ui");
  const name = useLocalised();
  return (role) => {
    const known = reasonsIn(benchmark?.protocol.content, "roles").find(({ code }) => code === role);
    return known ? name(known.name) : t([`role.${role}`, role]);
  };
}

export type PoolPurpose = "review" | "inspection";

/** The purposes for which the protocol assigns single items from a pool instead of whole packages. */
export function poolsIn(content: unknown): readonly PoolPurpose[] {
  const kinds = Object.values((inProtocol(content, "kinds") ?? {}) as Record<string, unknown>);
  const tracks = [inProtocol(content, "tracks", "package"), ...kinds.map((kind) => inProtocol(kind, "package"))];
  return (["review", "inspection"] as const).filter((purpose) =>
    tracks.some((track) => typeof (inProtocol(track, `${purpose}_pool`) ?? undefined) === "object"),
  );
}
