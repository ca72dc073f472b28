/** Takes an item out of the work: its place on the picture is free again, and its texts stay in the history. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { PeerItem } from "@/api/types";
import { Button } from "@/ui/Button";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";

export function DiscardItem({ item, onDone }: { item: PeerItem; onDone: () => void }) {
  const { t } = useTranslation("workspace");
  const discard = useWrite("item_discard");
  const [isAsking, setAsking] = useState(false);
  const { label } = item;
  if (!isAsking) {
    return (
      <div className="row-actions">
        <Button small look="plain" onClick={() => setAsking(true)} data-testid="discard">
          {t("team.discard.open")}
        </Button>
      </div>
    );
  }
  return (
    <div role="group" aria-label={t("team.discard.open")}>
      <p>{t("team.discard.text", { label })}</p>
      {discard.error && <Problem error={discard.error} />}
      <div className="row-actions">
        <Button
          small
          look="danger"
          autoFocus
          busy={discard.isPending}
          onClick={() =>
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
          data-testid="discard-confirm"
        >
          {t("team.discard.confirm")}
        </Button>
        <Button small onClick={() => setAsking(false)}>
          {t("ui:cancel")}
        </Button>
      </div>
    </div>
  );
}
