/** The open package's queue, tied to the person's delivery: what arrives on the server changes what is shown. */
import { useEffect, useEffectEvent, useState } from "react";
import { call } from "@/api/client";
import type { Content } from "@/kinds/kind";
import { useStore } from "@/store/useStore";
import { takePreloadedWork } from "./queue/preloadedWork";
import { WorkQueue, type QueueState } from "./queue/workQueue";
import { localDraft } from "./saving/browserStore";
import type { Delivery } from "./saving/delivery";

function queueOf(packageId: number, delivery: Delivery): WorkQueue {
  return new WorkQueue({
    next: async (after) =>
      (after === 0 ? takePreloadedWork(packageId) : null) ??
      (await call("work_next", { path: { id: packageId }, query: { after } })),
    places: () => call("package_items", { path: { id: packageId } }),
    sheet: () => call("package_show", { path: { id: packageId } }),
    localDraft: (itemId) => localDraft<Content>(delivery.personId, itemId),
    typed: (itemId) => delivery.typed(itemId),
    onTheWay: () =>
      new Set(
        delivery.outbox
          .snapshot()
          .entries.filter((entry) => entry.state === "waiting")
          .map((entry) => entry.itemId),
      ),
  });
}

/** Reads what this browser still holds, then opens the first item. */
async function enterWork(queue: WorkQueue, delivery: Delivery, firstItem: number | null): Promise<void> {
  await delivery.outbox.start();
  await queue.enter(firstItem);
  await dropOvertaken(queue, delivery);
}

/** Forgets rejected texts of items that were submitted since, as on another device: nothing is to be decided about them. */
async function dropOvertaken(queue: WorkQueue, delivery: Delivery): Promise<void> {
  const packageId = queue.snapshot().package?.id;
  const rejected = delivery.outbox.snapshot().entries.filter((entry) => entry.packageId === packageId && entry.state === "refused" && entry.leftOut === null);
  if (rejected.length === 0) return;
  // Without a connection they stay until the package is opened again.
  const items = await queue.readItems().catch(() => []);
  const revisions = new Map(items.map(({ id, revision_no: no }) => [id, no]));
  for (const { key, itemId, baseNo } of rejected) if ((revisions.get(itemId) ?? 0) > baseNo) await delivery.outbox.drop(key);
}

/** What arrives on the server changes what the queue knows; ends with the function it returns. */
function follow(queue: WorkQueue, packageId: number, delivery: Delivery): () => void {
  return delivery.onDelivered(({ entry, answer }) => {
    if (entry.packageId !== packageId) return;
    const { state, revision_no, findings } = answer;
    if (entry.leftOut) {
      const { reasons, comment } = entry.leftOut;
      const skipped = { reasons: [...reasons], comment, at: new Date().toISOString() };
      queue.leftOut(entry.itemId, { state, skipped }, { wasOpen: entry.wasOpen });
      return;
    }
    const stored = { state, revision_no, findings, content: entry.content, reasons: { ...entry.reasons } };
    // What is typed here beside another tab's text stays on its base, so that both are compared.
    const keepsOpen = queue.snapshot().current?.id === entry.itemId && delivery.isTypedBeside(entry);
    void queue.delivered(entry.itemId, stored, { wasOpen: entry.wasOpen, keepsOpen });
    if (keepsOpen) delivery.resendDraft(entry.itemId);
  });
}

interface Prepared {
  readonly packageId: number;
  readonly personId: number;
  readonly queue: WorkQueue;
  readonly unfollow: () => void;
}

let prepared: Prepared | null = null;

/** Opens the package before anything is drawn, so that the first thing drawn is the open item. */
export async function prepareWork(packageId: number, firstItem: number | null, delivery: Delivery): Promise<void> {
  const queue = queueOf(packageId, delivery);
  prepared = { packageId, personId: delivery.personId, queue, unfollow: follow(queue, packageId, delivery) };
  await enterWork(queue, delivery, firstItem);
}

function preparedFor(packageId: number, { personId }: Delivery): WorkQueue | null {
  return prepared?.packageId === packageId && prepared.personId === personId ? prepared.queue : null;
}

export function useWork(packageId: number, firstItem: number | null, delivery: Delivery): [WorkQueue, QueueState] {
  const [queue] = useState(() => preparedFor(packageId, delivery) ?? queueOf(packageId, delivery));
  const enter = useEffectEvent(() => {
    if (prepared?.queue === queue) prepared.unfollow();
    else void enterWork(queue, delivery, firstItem);
    prepared = null;
  });
  useEffect(() => {
    const unfollow = follow(queue, packageId, delivery);
    enter();
    return unfollow;
  }, [delivery, packageId, queue]);
  return [queue, useStore(queue)];
}
