/** Judging pictures on this screen: what may be judged, sending what was held, and putting answers into the lists. */
import { useQueryClient, type InfiniteData, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { call, newClientKey } from "@/api/client";
import type { Answer } from "@/api/operations";
import type { Image } from "@/api/types";
import { toasts } from "@/ui/toasts";
import { useFlushOnLeaving } from "@/ui/useFlushOnLeaving";
import { HeldJudgements, type HeldJudgement, type Judgement, type JudgementView, type Outcome } from "./heldJudgements";

/** Whether the judgement is open to the person and would change anything: a curator may change their mind both ways. */
export function allows(image: Image, judgement: Judgement): boolean {
  if (judgement.outcome === "clear") return image.available_actions.includes("image_clear") && !image.personal_information_clear;
  if (!image.available_actions.includes("image_judge")) return false;
  if (judgement.outcome === "accepted" && image.state === "accepted") {
    // Accepting again is only worth a verdict when it says something new.
    return judgement.subset !== undefined || judgement.objects !== undefined || judgement.category !== undefined;
  }
  return true;
}

/** Deciding on many at once leaves alone what was decided one by one: a picture just counted into a subset, say. */
function isDecided(view: JudgementView, image: Image, judgement: Judgement): boolean {
  return judgement.outcome !== "clear" && view.decisions.get(image.id)?.verdict !== undefined;
}

/** Sends verdicts and marks, each kind in one request, and answers in the order of what was held. */
async function send(slug: string, held: readonly HeldJudgement[]): Promise<Outcome[]> {
  const path = { b: slug };
  // Small requests may outlive the page: leaving it sends what is held.
  const options = { keepalive: held.length <= MANY_IN_KEEPALIVE };
  const outcomes = new Map<HeldJudgement, Outcome>();
  const verdicts = held.filter((one) => one.judgement.outcome !== "clear");
  const marks = held.filter((one) => one.judgement.outcome === "clear");
  const take = (asked: readonly HeldJudgement[], results: readonly { image_id: number; image: Image | null; error: Outcome["error"] }[]) => {
    const byImage = new Map(results.map((result) => [result.image_id, result]));
    for (const one of asked) outcomes.set(one, byImage.get(one.image.id) ?? { image: null, error: { code: "not_found", params: {} } });
  };
  if (verdicts.length > 0) {
    const { results } = await call("image_judge", { path, body: { verdicts: verdicts.map(verdictOf) } }, options);
    take(verdicts, results);
  }
  if (marks.length > 0) {
    const images = marks.map((one) => ({ image: one.image.id, client_key: one.key }));
    const { results } = await call("image_clear", { path, body: { images } }, options);
    take(marks, results);
  }
  await lookAgain(held, outcomes);
  return held.map((one) => outcomes.get(one) ?? { image: null, error: null });
}

/** Looked at again after a refusal at most this many; the others are seen anew with the next list. */
const LOOKED_AT = 20;

/** What somebody else has changed is fetched, so that the picture shows as it is and can be judged anew. */
async function lookAgain(held: readonly HeldJudgement[], outcomes: Map<HeldJudgement, Outcome>): Promise<void> {
  const refused = held.filter((one) => {
    const outcome = outcomes.get(one);
    return outcome?.error?.code === "judged_meanwhile" && outcome.image === null;
  });
  await Promise.all(
    refused.slice(0, LOOKED_AT).map(async (one) => {
      const image = await call("image_show", { path: { id: one.image.id } }).catch(() => null);
      const outcome = outcomes.get(one);
      if (image !== null && outcome) outcomes.set(one, { ...outcome, image });
    }),
  );
}

/** Browsers hold a request that outlives its page to 64 KB. */
const MANY_IN_KEEPALIVE = 150;

function verdictOf({ image, judgement, key }: HeldJudgement) {
  const seen = { image: image.id, no: image.verdict_no, client_key: key };
  if (judgement.outcome === "refused") return { ...seen, outcome: judgement.outcome, reasons: judgement.reasons };
  if (judgement.outcome === "clear") throw new Error("a mark is no verdict");
  const { outcome, ...said } = judgement;
  return { ...seen, outcome, reasons: [], ...said };
}

/**
 * Puts answers in the place of the old pictures wherever they are listed. A picture that no longer fits a list's
 * filter stays until the list is fetched again, so that the grid does not jump under the keys.
 */
function putInPlace(client: QueryClient, images: readonly Image[]): void {
  const fresh = new Map(images.map((image) => [image.id, image]));
  client.setQueriesData<InfiniteData<Answer<"image_list">>>({ queryKey: ["image_list"] }, (data) =>
    data && {
      ...data,
      pages: data.pages.map((page) =>
        page.results.some((one) => fresh.has(one.id)) ? { ...page, results: page.results.map((one) => fresh.get(one.id) ?? one) } : page,
      ),
    },
  );
  for (const image of images) void client.invalidateQueries({ queryKey: ["image_show", { path: { id: image.id } }] });
  for (const stale of ["image_counts", "waiting_show", "audit_list"]) void client.invalidateQueries({ queryKey: [stale] });
}

export interface Judging extends JudgementView {
  /** Holds the judgement about those that are open to it, and says how many were passed over. */
  judge: (images: readonly Image[], judgement: Judgement) => readonly Image[];
  undo: () => number[];
  dismiss: (image: number) => void;
  flush: () => Promise<boolean>;
  /** Hears of every picture whose judgement was answered, while subscribed. */
  onJudged: (listener: (images: readonly Image[]) => void) => () => void;
}

/** Held judgements of one screen; they are sent when it is left, and leaving the page before that warns. */
export function useJudging(slug: string): Judging {
  const { t } = useTranslation("images");
  const client = useQueryClient();
  const [held] = useState(() => new HeldJudgements({ send: (some) => send(slug, some), newKey: newClientKey }));
  const view = useSyncExternalStore(held.subscribe, held.snapshot);
  useEffect(() => held.onJudged((images) => putInPlace(client, images)), [held, client]);
  const [leaving] = useState(() => ({ unsent: () => held.snapshot().unsent, flush: () => held.flush() }));
  useFlushOnLeaving(leaving);
  return {
    ...view,
    judge: (images, judgement) => {
      const open = images.filter((image) => allows(image, judgement) && !(images.length > 1 && isDecided(view, image, judgement)));
      const skipped = images.length - open.length;
      if (skipped > 0) toasts.show(t(judgement.outcome === "clear" ? "skippedClear" : "skipped", { count: skipped }));
      if (open.length > 0) held.hold(open, judgement);
      return open;
    },
    undo: () => held.undo(),
    dismiss: (image) => held.dismiss(image),
    flush: () => held.flush(),
    onJudged: held.onJudged,
  };
}
