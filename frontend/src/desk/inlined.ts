/** The answers that the server included in the page, so that no request is needed before the first key. */
import type { QueryClient } from "@tanstack/react-query";
import type { Answer } from "@/api/request";
import { queryKey } from "@/api/queries";
import type { Session } from "@/api/types";
import { storePreloadedWork } from "@/workspace/queue/preloadedWork";
import { deliveryOf } from "@/workspace/saving/delivery";
import { prepareWork } from "@/workspace/useWork";
import { itemIdIn, packageAt } from "@/workspace/address";

interface InlinedAnswers {
  session?: Session;
  work?: Answer<"work_next">;
}

/** A browser whose database does not answer gets the page nevertheless, and the item when it can. */
const LONGEST_WAIT_MS = 1_000;

/** The answers in the page; empty for someone who is not signed in. */
export function inlinedAnswers(): InlinedAnswers {
  const block = document.getElementById("answers")?.textContent;
  return block == null ? {} : (JSON.parse(block) as InlinedAnswers);
}

/** Puts the answers into the caches; resolves when the first item can be drawn. */
export async function startWith({ session, work }: InlinedAnswers, client: QueryClient): Promise<void> {
  if (session) client.setQueryData(queryKey("session_show", {}), session);
  const { pathname, search } = window.location;
  const packageId = packageAt(pathname);
  if (!session || !work || packageId === null) return;
  storePreloadedWork(packageId, work);
  const entered = prepareWork(packageId, itemIdIn(new URLSearchParams(search)), deliveryOf(session.person.id));
  await Promise.race([entered, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))]);
}
