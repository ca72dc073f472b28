/** Takes an item out of the work: its place on the picture is free again, and its texts stay in the history. */
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { PeerItem } from "@/api/types";
import { toasts } from "@/ui/toasts";
import { AskFirst } from "./AskFirst";

export function DiscardItem({ item, onDone }: { item: PeerItem; onDone: () => void }) {
  const { t } = useTranslation("workspace");
  const discard = useWrite("item_discard");
  const { label } = item;
  return (
    <AskFirst
      open={t("team.discard.open")}
      question={t("team.discard.text", { label })}
      confirm={t("team.discard.confirm")}
      isBusy={discard.isPending}
      error={discard.error}
      onConfirm={() =>
        discard.mutate(
          { path: { id: item.id }, body: { revision_no: item.revision_no } },
          {
            onSuccess: () => {
              toasts.show(t("team.discard.done", { label }));
              onDone();
            },
          },
        )
      }
      testId="discard"
    />
  );
}
