/** Sends decisions about categories one after the other; the next ones can be made while earlier ones are on their way. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "@/api/client";
import { STALE_AFTER } from "@/api/operations";
import { SendQueue, sendSingly } from "@/api/sendQueue";
import type { BoardEntry } from "@/api/types";
import { useStore } from "@/store/useStore";
import { useFlushOnLeaving } from "@/ui/useFlushOnLeaving";
import type { OpenDecision } from "./DecisionForm";
import type { Decision } from "./actions";

/** A decision about an existing category. */
interface Made {
  entry: BoardEntry;
  body: OpenDecision["body"] & { action: Decision };
}

/** What the server refuses stays in the queue, with its reason, until it is dropped or decided again. */
export function useDecisions(onRefused: (made: Made, code: string) => void) {
  const client = useQueryClient();
  const [queue] = useState(
    () =>
      new SendQueue<Made, void>({
        send: sendSingly(async ({ work: { entry, body }, key }) => {
          await call("category_board_decide", { path: { id: entry.id }, body: { ...body, revision: entry.revision, client_key: key } });
        }),
        holdMs: 0,
        keepsRefused: true,
      }),
  );
  const { entries, problem } = useStore(queue);
  useFlushOnLeaving(queue);
  useEffect(
    () =>
      queue.onResults((answered) => {
        for (const operation of STALE_AFTER.category_board_decide ?? []) void client.invalidateQueries({ queryKey: [operation] });
        for (const { entry, error } of answered) if (error !== null) onRefused(entry.work, error.code);
      }),
    [queue, client, onRefused],
  );
  return {
    /** The categories whose decision has not been answered yet, by id. */
    sent: new Set(entries.filter(({ state }) => state !== "refused").map(({ work }) => work.entry.id)),
    refused: entries.flatMap(({ work, state, error }) => (state === "refused" && error !== null ? [{ ...work, error }] : [])),
    /** Why decisions wait, such as a lost connection. */
    problem,
    retry: () => void queue.flush(),
    drop: (entry: BoardEntry) => queue.drop(entry.id),
    send: (made: Made) => queue.add([[made.entry.id, made]]),
  };
}
