/** The language people write a benchmark's content in, as a BCP 47 tag for `lang`. */
import { inProtocol } from "@/api/benchmark";
import type { Benchmark } from "@/api/types";

/** The protocol's first content language; the interface's language never decides this. */
export function contentLanguage(benchmark: Benchmark | undefined): string {
  const languages = inProtocol(benchmark?.protocol.content, "languages");
  const languageCodes = inProtocol(languages, "content") ?? languages;
  const first: unknown = Array.isArray(languageCodes) ? languageCodes[0] : languageCodes;
  if (typeof first === "string" && first !== "") return first;
  const tag = inProtocol(first, "tag") ?? inProtocol(first, "code");
  return typeof tag === "string" ? tag : "zh-Hans";
}
