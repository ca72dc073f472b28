/** Accepting, refusing and marking pictures: several at once, each its own request, answers put into the lists in place. */
import { useQueryClient, type InfiniteData, type QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, newClientKey } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import type { Answer } from "@/api/operations";
import type { Image } from "@/api/types";
import { useErrorText } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";

export type Judgement = { outcome: "accepted" } | { outcome: "refused"; reasons: string[] } | { outcome: "clear" };

/** Requests under way at the same time; more would only queue on the server. */
const AT_ONCE = 4;

function operationOf(judgement: Judgement): "image_judge" | "image_clear" {
  return judgement.outcome === "clear" ? "image_clear" : "image_judge";
}

/** Whether the decision is open to the person and would change anything: a curator may change their mind both ways. */
export function allows(image: Image, judgement: Judgement): boolean {
  return image.available_actions.includes(operationOf(judgement)) && image.state !== judgement.outcome;
}

async function ask(image: Image, judgement: Judgement): Promise<Image> {
  const path = { id: image.id };
  const client_key = newClientKey();
  if (judgement.outcome === "clear") return call("image_clear", { path, body: { client_key } });
  const reasons = judgement.outcome === "refused" ? judgement.reasons : [];
  return call("image_judge", { path, body: { outcome: judgement.outcome, reasons, client_key } });
}

/**
 * Puts an answer in the place of the old picture wherever it is listed. A picture that no longer fits the list's
 * filter stays until the list is fetched again, so that the grid does not jump under the keys.
 */
export function putInPlace(client: QueryClient, image: Image): void {
  client.setQueriesData<InfiniteData<Answer<"image_list">>>({ queryKey: ["image_list"] }, (data) =>
    data && {
      ...data,
      pages: data.pages.map((page) => {
        const before = page.results.find((one) => one.id === image.id);
        if (!before) return page;
        return { ...page, results: page.results.map((one) => (one.id === image.id ? { ...one, ...image } : one)) };
      }),
    },
  );
  client.setQueryData<Answer<"image_show">>(["image_show", { path: { id: image.id } }], (old) => old && { ...old, ...image });
}

/** Moves counts of the list's head along with one picture's change. */
export function recount(counts: Answer<"image_list">["counts"], before: Image, after: Image): Answer<"image_list">["counts"] {
  const next = { ...counts };
  next[before.state] -= 1;
  next[after.state] += 1;
  next.personal_information_clear += Number(after.personal_information_clear) - Number(before.personal_information_clear);
  return next;
}

function recountLists(client: QueryClient, before: Image, after: Image): void {
  client.setQueriesData<InfiniteData<Answer<"image_list">>>({ queryKey: ["image_list"] }, (data) =>
    data && { ...data, pages: data.pages.map((page, i) => (i === 0 ? { ...page, counts: recount(page.counts, before, after) } : page)) },
  );
}

export function useJudging(): { judge: (images: readonly Image[], judgement: Judgement) => Promise<void>; pending: ReadonlySet<number> } {
  const { t } = useTranslation("images");
  const say = useErrorText();
  const client = useQueryClient();
  const [pending, setPending] = useState<ReadonlySet<number>>(new Set());

  const judge = async (images: readonly Image[], judgement: Judgement) => {
    const open = images.filter((image) => allows(image, judgement));
    const skipped = images.length - open.length;
    if (skipped > 0) toasts.show(t(judgement.outcome === "clear" ? "skippedClear" : "skipped", { count: skipped }));
    if (open.length === 0) return;
    setPending((old) => new Set([...old, ...open.map((image) => image.id)]));
    const queue = [...open];
    const problems: ApiError[] = [];
    const worker = async () => {
      for (let image = queue.shift(); image !== undefined; image = queue.shift()) {
        const { id } = image;
        try {
          const answer = await ask(image, judgement);
          recountLists(client, image, answer);
          putInPlace(client, answer);
        } catch (problem) {
          problems.push(toApiError(problem));
        }
        setPending((old) => new Set([...old].filter((one) => one !== id)));
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, open.length) }, worker));
    if (problems[0]) toasts.show(`${t("judgedSome", { done: open.length - problems.length, all: open.length })} ${say(problems[0])}`);
    else if (open.length > 1) toasts.show(t(`judged.${judgement.outcome}`, { count: open.length }));
    void client.invalidateQueries({ queryKey: ["waiting_show"] });
    for (const image of open) {
      void client.invalidateQueries({ queryKey: ["image_show", { path: { id: image.id } }] });
      void client.invalidateQueries({ queryKey: ["audit_list"] });
    }
  };
  return { judge, pending };
}
