/** Judging pictures on this screen: what may be judged, sending judgements, and putting answers into the lists. */
import { useQueryClient, type InfiniteData, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "@/api/client";
import type { Answer } from "@/api/request";
import type { Result } from "@/api/sendQueue";
import type { Image } from "@/api/types";
import { useStore } from "@/store/useStore";
import { toasts } from "@/ui/toasts";
import { useFlushOnLeaving } from "@/ui/useFlushOnLeaving";
import { JudgementQueue, type Judgement, type JudgementEntry, type JudgementView } from "./judgementQueue";

type Outcome = Result<Image>;

/** Whether the judgement is open to the person and would change anything: a curator may change their mind both ways. */
export function allows(image: Image, judgement: Judgement): boolean {
  if (judgement.outcome === "clear") return image.available_actions.includes("image_clear") && !image.personal_information_clear;
  if (!image.available_actions.includes("image_judge")) return false;
  if (judgement.outcome === "accepted" && image.state === "accepted") {
    // Accepting again is only a verdict when it adds something.
    return judgement.subset !== undefined || judgement.objects !== undefined || judgement.category !== undefined;
  }
  return true;
}

/** Judging many at once skips pictures that were judged one by one, such as one just counted into a subset. */
function isDecided(view: JudgementView, image: Image, judgement: Judgement): boolean {
  return judgement.outcome !== "clear" && view.decisions.get(image.id)?.verdict !== undefined;
}

/** Sends verdicts and marks, each kind in one request, and answers in the order of the entries. */
async function send(slug: string, entries: readonly JudgementEntry[]): Promise<Outcome[]> {
  const path = { b: slug };
  // Small requests may outlive the page, which sends on leaving what could still be undone.
  const options = { keepalive: entries.length <= MANY_IN_KEEPALIVE };
  const outcomes = new Map<JudgementEntry, Outcome>();
  const verdicts = entries.filter(({ work }) => work.judgement.outcome !== "clear");
  const marks = entries.filter(({ work }) => work.judgement.outcome === "clear");
  const collect = (sent: readonly JudgementEntry[], results: readonly { image_id: number; image: Image | null; error: Outcome["error"] }[]) => {
    const byImage = new Map(results.map(({ image_id: id, image, error }) => [id, { answer: image, error }]));
    for (const entry of sent) outcomes.set(entry, byImage.get(entry.work.image.id) ?? { answer: null, error: { code: "not_found", params: {} } });
  };
  if (verdicts.length > 0) {
    const { results } = await call("image_judge", { path, body: { verdicts: verdicts.map(verdictOf) } }, options);
    collect(verdicts, results);
  }
  if (marks.length > 0) {
    const images = marks.map(({ work, key }) => ({ image: work.image.id, client_key: key, no: work.image.redaction_no }));
    const { results } = await call("image_clear", { path, body: { images } }, options);
    collect(marks, results);
  }
  await fetchJudgedByOthers(entries, outcomes);
  return entries.map((entry) => outcomes.get(entry) ?? { answer: null, error: null });
}

/** The most pictures fetched again after a refusal; the others are updated with the next list. */
const FETCHED_AGAIN = 20;

/** What someone else has changed is fetched, so that the picture shows as it is and can be judged again. */
async function fetchJudgedByOthers(entries: readonly JudgementEntry[], outcomes: Map<JudgementEntry, Outcome>): Promise<void> {
  const refused = entries.filter((entry) => {
    const outcome = outcomes.get(entry);
    return outcome?.error?.code === "judged_meanwhile" && outcome.answer === null;
  });
  await Promise.all(
    refused.slice(0, FETCHED_AGAIN).map(async (entry) => {
      const image = await call("image_show", { path: { id: entry.work.image.id } }).catch(() => null);
      const outcome = outcomes.get(entry);
      if (image !== null && outcome) outcomes.set(entry, { ...outcome, answer: image });
    }),
  );
}

/** Browsers hold a request that outlives its page to 64 KB. */
const MANY_IN_KEEPALIVE = 150;

function verdictOf({ work: { image, judgement }, key }: JudgementEntry) {
  const seen = { image: image.id, no: image.verdict_no, client_key: key };
  if (judgement.outcome === "refused") return { ...seen, outcome: judgement.outcome, reasons: judgement.reasons };
  if (judgement.outcome === "clear") throw new Error("a mark is no verdict");
  const { outcome, ...counted } = judgement;
  return { ...seen, outcome, reasons: [], ...counted };
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
  /** Judges the pictures that can be judged, and reports how many were skipped. */
  judge: (images: readonly Image[], judgement: Judgement) => readonly Image[];
  undo: () => number[];
  dismiss: (image: number) => void;
  flush: () => Promise<boolean>;
  /** Reports every picture whose judgement was answered. */
  onJudged: (listener: (images: readonly Image[]) => void) => () => void;
}

/** The judgements of one screen; they are sent when it is left, and leaving the page before that warns. */
export function useJudging(slug: string): Judging {
  const { t } = useTranslation("images");
  const client = useQueryClient();
  const [queue] = useState(() => new JudgementQueue({ send: (entries) => send(slug, entries) }));
  const view = useStore(queue);
  useEffect(() => queue.onJudged((images) => putInPlace(client, images)), [queue, client]);
  useFlushOnLeaving(queue);
  return {
    ...view,
    judge: (images, judgement) => {
      const allowed = images.filter((image) => allows(image, judgement) && !(images.length > 1 && isDecided(view, image, judgement)));
      const skipped = images.length - allowed.length;
      if (skipped > 0) toasts.show(t(judgement.outcome === "clear" ? "skippedClear" : "skipped", { count: skipped }));
      if (allowed.length > 0) queue.add(allowed, judgement);
      return allowed;
    },
    undo: () => queue.undo(),
    dismiss: (image) => queue.dismiss(image),
    flush: queue.flush,
    onJudged: queue.onJudged,
  };
}
