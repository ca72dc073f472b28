/** What a protocol may say and will surprise whoever works by it: no fault, and told at its line. */
import type { ProtocolCheck } from "@/api/types";
import type { Doubt } from "@/ui/doubts";

export interface ProtocolWarning extends Doubt {
  line: number;
  key: string;
}

export function warningsOf(answer: ProtocolCheck | null): readonly ProtocolWarning[] {
  return answer !== null && "warnings" in answer && Array.isArray(answer.warnings) ? (answer.warnings as ProtocolWarning[]) : [];
}
