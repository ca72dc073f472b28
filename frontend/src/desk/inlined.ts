/** The answers the server put into the page, so that nothing has to be asked before the first key. */
import type { QueryClient } from "@tanstack/react-query";
import type { Answer } from "@/api/operations";
import { queryKey } from "@/api/queries";
import type { Benchmark, Session } from "@/api/types";
import { holdFirstAnswer } from "@/workspace/queue/firstAnswer";
import { packageAt } from "@/workspace/address";

export interface InlinedAnswers {
  session?: Session;
  benchmark?: Benchmark;
  work?: Answer<"work_next">;
}

/** What the page carries; nothing for somebody who is not signed in. */
export function inlinedAnswers(): InlinedAnswers {
  const block = document.getElementById("answers")?.textContent;
  return block == null ? {} : (JSON.parse(block) as InlinedAnswers);
}

/** Gives the answers to those who would ask for them. */
export function startWith({ session, benchmark, work }: InlinedAnswers, client: QueryClient): void {
  if (session) client.setQueryData(queryKey("session_show", {}), session);
  if (benchmark) client.setQueryData(queryKey("benchmark_show", { path: { b: benchmark.slug } }), benchmark);
  const packageId = packageAt(window.location.pathname);
  if (work && packageId !== null) holdFirstAnswer(packageId, work);
}
