/** What waits for the person beside the one `waiting` answer: packages meant for them, pools they judge from. */
import { useQueries } from "@tanstack/react-query";
import { poolsIn, useBenchmark, type PoolPurpose } from "./benchmark";
import { call } from "./client";
import { queryKey, useList } from "./queries";
import { useMay, useSession, useSessionBenchmark } from "./session";
import type { Package } from "./types";

/** Packages that an administrator assigned to the person and nobody began yet. */
export function useAssigned(slug: string): readonly Package[] {
  const may = useMay(slug);
  const me = useSession().data?.person.id;
  const list = useList("package_list", { path: { b: slug }, query: { state: "assigned" } }, { enabled: may("package_claim") });
  return list.rows.filter((pkg) => pkg.assignee !== null && pkg.assignee.id === me);
}

export interface PoolWork {
  purpose: PoolPurpose;
  kind: string;
  /** Items that can be taken. */
  free: number;
  /** Items in the person's hands. */
  mine: number;
}

const NEEDS: Readonly<Record<PoolPurpose, string>> = { review: "item_review", inspection: "item_inspect" };

/** The pools the person may judge from, with what is in them. */
export function usePoolWork(slug: string): readonly PoolWork[] {
  const may = useMay(slug);
  const kinds = useSessionBenchmark(slug)?.kinds ?? [];
  const open = poolsIn(useBenchmark(slug).data?.protocol.content).filter((purpose) => may("pool_show") && may(NEEDS[purpose]));
  const asked = open.flatMap((purpose) => kinds.map((kind) => ({ path: { b: slug, purpose }, query: { kind } })));
  const answers = useQueries({
    queries: asked.map((request) => ({
      queryKey: queryKey("pool_show", request),
      queryFn: ({ signal }: { signal: AbortSignal }) => call("pool_show", request, { signal }),
      refetchInterval: 30_000,
    })),
  });
  return answers.flatMap(({ data }) => (data ? [{ purpose: data.purpose, kind: data.kind, free: data.free, mine: data.mine }] : []));
}
