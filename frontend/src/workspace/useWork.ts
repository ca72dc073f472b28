/** The open package's queue, tied to the person's delivery: what arrives on the server changes what is shown. */
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { call } from "@/api/client";
import type { Content } from "@/kinds/kind";
import { takeFirstAnswer } from "./queue/firstAnswer";
import { WorkQueue, type QueueState } from "./queue/workQueue";
import { localDraft } from "./saving/browserStore";
import type { Delivery } from "./saving/delivery";

export function useWork(packageId: number, firstItem: number | null, delivery: Delivery): [WorkQueue, QueueState] {
  const [queue] = useState(
    () =>
      new WorkQueue({
        next: async (after) =>
          (after === 0 ? takeFirstAnswer(packageId) : null) ??
          (await call("work_next", { path: { id: packageId }, query: { after } })),
        sheet: () => call("package_show", { path: { id: packageId } }),
        localDraft: (itemId) => localDraft<Content>(delivery.personId, itemId),
        onTheWay: () =>
          new Set(
            delivery.outbox
              .snapshot()
              .entries.filter((entry) => entry.state === "waiting")
              .map((entry) => entry.itemId),
          ),
      }),
  );
  const enter = useEffectEvent(() => {
    void delivery.outbox.start().then(() => queue.enter(firstItem));
  });
  useEffect(() => {
    enter();
    return delivery.onDelivered((entry, answer) => {
      if (entry.packageId !== packageId) return;
      const { state, revision_no, findings } = answer;
      if (entry.leftOut) {
        const { reasons, comment } = entry.leftOut;
        queue.amend(entry.itemId, { state, skipped: { reasons: [...reasons], comment, at: new Date().toISOString() } });
        return;
      }
      const stored = { state, revision_no, findings, content: entry.content, reasons: { ...entry.reasons } };
      void queue.delivered(entry.itemId, stored, entry.isFirst);
    });
  }, [delivery, packageId, queue]);
  return [queue, useSyncExternalStore(queue.subscribe, queue.snapshot)];
}
