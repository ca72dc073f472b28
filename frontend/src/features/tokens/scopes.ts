/** The scopes of a token: areas of work, each to read or to change. */
import { OPERATIONS } from "@/api/operations";

export const AREAS = ["images", "work", "releases", "evaluation", "benchmark"] as const;
type Area = (typeof AREAS)[number];
export type Scope = `${Area}.${"read" | "write"}`;

const BEGINNINGS: Readonly<Record<Area, readonly string[]>> = {
  images: ["image_", "media_", "upload_"],
  work: ["package_", "work_", "draft_", "item_", "inspection_", "waiting_"],
  releases: ["release_", "publication_", "public_release_"],
  evaluation: ["run_", "system_", "leaderboard_", "sample_", "call_", "spending_show"],
  benchmark: ["benchmark_show", "protocol_", "audit_", "job_"],
};

/** Downloads and pictures are links and in no operation's table. */
const READS = /_(list|show|next|sheet|history|file|counts|scores|items|releases|offset|options)$/;

function isRead(operation: string): boolean {
  const method = operation in OPERATIONS ? OPERATIONS[operation as keyof typeof OPERATIONS][0] : null;
  return method === "GET" || (method === null && READS.test(operation));
}

/** The scope an operation belongs to; null for those no token is ever given (people, roles, invitations, tokens). */
export function scopeOf(operation: string): Scope | null {
  const area = AREAS.find((one) => BEGINNINGS[one].some((start) => operation.startsWith(start)));
  return area === undefined ? null : `${area}.${isRead(operation) ? "read" : "write"}`;
}

/** The scopes open to someone with these operations, each with what it holds, in the order of AREAS. */
export function scopesIn(operations: readonly string[]): Map<Scope, string[]> {
  const scopes = new Map<Scope, string[]>();
  for (const area of AREAS) {
    for (const way of ["read", "write"] as const) {
      const held = operations.filter((operation) => scopeOf(operation) === `${area}.${way}`);
      if (held.length > 0) scopes.set(`${area}.${way}`, held);
    }
  }
  return scopes;
}
