/** Failures of gates, grouped by gate. */
import type { Gate, ReleaseDetail } from "@/api/types";

export interface GateGroup {
  readonly code: string;
  /** Value for sentences that name something (an unknown gate's own name). */
  readonly name: string;
  /** All failures of this check; the server names at most a few hundred of them. */
  readonly total: number;
  readonly gates: readonly Gate[];
}

export function groupGates(gates: readonly Gate[], counts: ReleaseDetail["gate_counts"]): GateGroup[] {
  const codes = [...new Set(gates.map((gate) => gate.code))];
  return codes.map((code) => {
    const own = gates.filter((gate) => gate.code === code);
    const name = own[0]?.params.name;
    return {
      code,
      name: typeof name === "string" ? name : "",
      total: Math.max(own.length, counts.find((count) => count.code === code)?.n ?? 0),
      gates: own,
    };
  });
}
