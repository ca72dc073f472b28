/** What a protocol may say and will surprise whoever works by it: no fault, and told at its line. */
import type { ProtocolCheck } from "@/api/types";

export type ProtocolWarning = ProtocolCheck["warnings"][number];

export function warningsOf(answer: ProtocolCheck | null): readonly ProtocolWarning[] {
  return answer?.warnings ?? [];
}
