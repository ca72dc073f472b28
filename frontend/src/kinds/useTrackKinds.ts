/** The kinds of work that this page can show, and the tracks in which the protocol has people do them. */
import { trackOf, useBenchmark } from "@/api/benchmark";
import { useSessionBenchmark } from "@/api/session";
import type { Track } from "@/api/types";
import { KIND_NAMES, kindView } from "./registry";

/** The protocol's kinds in the order of this page's registry: what most teams begin with comes first. */
export function useKinds(slug: string): string[] {
  const kinds = useSessionBenchmark(slug)?.kinds ?? [];
  return KIND_NAMES.filter((kind) => kinds.includes(kind));
}

/** The track of each kind. */
export function useTracksOfKinds(slug: string): ReadonlyMap<string, Track> {
  const content = useBenchmark(slug).data?.protocol.content;
  return new Map(useKinds(slug).map((kind) => [kind, trackOf(content, kind)]));
}

export function useTrackKinds(slug: string, track: Track): string[] {
  return [...useTracksOfKinds(slug)].filter(([, of]) => of === track).map(([kind]) => kind);
}

/** The kinds of which second people click on what a text means. */
export function useClickKinds(slug: string): string[] {
  return useTrackKinds(slug, "pair").filter((kind) => kindView(kind)?.isClicked);
}
