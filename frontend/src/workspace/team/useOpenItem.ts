/** The open item of a team, tied to the person's delivery: what arrives on the server changes what is shown. */
import { useEffect, useState } from "react";
import { call } from "@/api/client";
import type { Content } from "@/kinds/kind";
import { useStore } from "@/store/useStore";
import { localDraft } from "../saving/browserStore";
import type { Delivery } from "../saving/delivery";
import { OpenItem, type OpenItemState } from "./openItem";

/**
 * Forgets a rejected text of the person that a newer version of theirs has replaced, as from another device. A colleague's
 * newer version replaces nothing: what was rejected may be all that there is of the person's work.
 */
async function dropOvertaken(open: OpenItem, delivery: Delivery): Promise<void> {
  const { item } = open.snapshot();
  if (!item?.mine) return;
  for (const { key, itemId, state, baseNo, leftOut } of delivery.outbox.snapshot().entries) {
    if (itemId === item.id && state === "refused" && leftOut === null && baseNo < item.revision_no) await delivery.outbox.drop(key);
  }
}

export function useOpenItem(itemId: number, delivery: Delivery): [OpenItem, OpenItemState] {
  const [open] = useState(
    () =>
      new OpenItem({
        show: () => call("peer_item_show", { path: { id: itemId } }),
        localDraft: () => localDraft<Content>(delivery.personId, itemId),
      }),
  );
  useEffect(() => {
    // What this browser still holds is read first: a text on its way counts more than the server's.
    void delivery.outbox
      .start()
      .then(() => open.load())
      .then(() => dropOvertaken(open, delivery));
    return delivery.onDelivered(({ entry, answer }) => {
      // Another tab's text stays unseen here, so that what is being written is compared with it.
      if (entry.itemId !== itemId || delivery.isTypedBeside(entry)) return;
      const { state, revision_no, findings } = answer;
      open.delivered({ state, revision_no, findings, content: entry.content, reasons: { ...entry.reasons } });
    });
  }, [delivery, itemId, open]);
  return [open, useStore(open)];
}
