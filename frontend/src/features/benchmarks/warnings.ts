/** Warnings about a protocol: settings that are allowed but may surprise, shown at their line. */
import type { ProtocolCheck } from "@/api/types";

type ProtocolWarning = ProtocolCheck["warnings"][number];

export function warningsOf(answer: ProtocolCheck | null): readonly ProtocolWarning[] {
  return answer?.warnings ?? [];
}
