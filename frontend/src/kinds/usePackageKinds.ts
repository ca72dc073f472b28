/** The kinds of work that this page can show and that the protocol has people do in packages. */
import { inProtocol, useBenchmark } from "@/api/benchmark";
import { useSessionBenchmark } from "@/api/session";
import { KIND_NAMES } from "./registry";

export function usePackageKinds(slug: string): string[] {
  const content = useBenchmark(slug).data?.protocol.content;
  const kinds = useSessionBenchmark(slug)?.kinds ?? [];
  return kinds.filter((kind) => KIND_NAMES.includes(kind) && (inProtocol(content, "kinds", kind, "track") ?? "package") === "package");
}
