/** The open item of a team, tied to the person's delivery: what arrives on the server changes what is shown. */
import { useEffect, useState } from "react";
import { call } from "@/api/client";
import type { Content } from "@/kinds/kind";
import { useStore } from "@/store/useStore";
import { localDraft } from "../saving/browserStore";
import type { Delivery } from "../saving/delivery";
import { OpenItem, type OpenItemState } from "./openItem";

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
    void delivery.outbox.start().then(() => open.load());
    return delivery.onDelivered(({ entry, answer }) => {
      // Another tab's text stays unseen here, so that what is being written is compared with it.
      if (entry.itemId !== itemId || delivery.isTypedBeside(entry)) return;
      const { state, revision_no, findings } = answer;
      open.delivered({ state, revision_no, findings, content: entry.content, reasons: { ...entry.reasons } });
    });
  }, [delivery, itemId, open]);
  return [open, useStore(open)];
}
