import type { OperationId } from "@/api/operations";

/** The operations whose answers a step of a release changes. */
export const STALE: readonly OperationId[] = [
  "release_show",
  "release_list",
  "release_changes",
  "release_scores",
  "image_releases",
  "run_list",
  "audit_list",
  "benchmark_list",
];
