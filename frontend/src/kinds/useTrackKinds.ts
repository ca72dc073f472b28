/** The kinds of work that this page can show and that the protocol has people do in a track. */
import { trackOf, useBenchmark } from "@/api/benchmark";
import { useSessionBenchmark } from "@/api/session";
import type { Track } from "@/api/types";
import { KIND_NAMES } from "./registry";

export function useTrackKinds(slug: string, track: Track): string[] {
  const content = useBenchmark(slug).data?.protocol.content;
  const kinds = useSessionBenchmark(slug)?.kinds ?? [];
  return kinds.filter((kind) => KIND_NAMES.includes(kind) && trackOf(content, kind) === track);
}
