/** The prompt that was sent, named in the address so that its reply is still there after the page is loaded again. */
import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { ApiError } from "@/api/errors";
import { useRead } from "@/api/queries";
import type { Trial } from "@/api/types";
import { useFilters } from "@/ui/useFilters";
import { isWaiting } from "./TrialReply";

/** Milliseconds between looks at a reply that is not there yet. */
const EVERY_MS = 1000;
/** What an arrived reply changes: it was paid. */
const CHANGED = ["answer_price", "spending_show", "call_list"] as const;

interface SentTrial {
  /** Undefined: none was sent. */
  id: number | undefined;
  of: UseQueryResult<Trial, ApiError>;
  isWaiting: boolean;
  show: (id: number) => void;
}

export function useTrial(): SentTrial {
  const filters = useFilters({ replace: true });
  const queries = useQueryClient();
  const id = filters.number("trial");
  const of = useRead("answer_show", { path: { id: id ?? 0 } }, { enabled: id !== undefined, refetchInterval: (answer) => (isWaiting(answer as Trial | undefined) ? EVERY_MS : false) });
  const waits = id !== undefined && isWaiting(of.data);
  const hasWaited = useRef(false);
  useEffect(() => {
    if (hasWaited.current && !waits) for (const read of CHANGED) void queries.invalidateQueries({ queryKey: [read] });
    hasWaited.current = waits;
  }, [waits, queries]);
  return { id, of, isWaiting: waits, show: (trial) => filters.set({ trial }) };
}
