/** Above an item: whose text it is, and what changing it means; above one's own, that a colleague is validating it. */
import { useTranslation } from "react-i18next";
import { useRead } from "@/api/queries";
import type { PeerItem } from "@/api/types";
import { Notice } from "@/ui/Notice";

export function TeamNotice({ item }: { item: PeerItem }) {
  const { t } = useTranslation("workspace");
  if (item.base?.current === false) {
    return (
      <Notice tone="warn">
        <span data-testid="base-changed">{t("team.pair.baseChanged", { kind: t(`ui:kind.${item.base.kind}`) })}</span>
      </Notice>
    );
  }
  if (item.mine && item.state === "made") return <BeingValidated item={item} />;
  if (item.mine || item.revision_no === 0 || item.state === "returned") return null;
  const name = item.author?.name ?? t("team.colleague");
  return (
    <Notice tone={item.state === "accepted" ? "warn" : "plain"}>
      <span data-testid="colleagues">{t(item.state === "accepted" ? "team.editAccepted" : "team.edit", { name })}</span>
    </Notice>
  );
}

/** How often to ask whether someone claimed the item, in milliseconds. */
const EVERY_MS = 30_000;

/** Reads the seat beside the item on the desk, whose text stays as it is. */
function BeingValidated({ item }: { item: PeerItem }) {
  const { t } = useTranslation("workspace");
  const now = useRead("peer_item_show", { path: { id: item.id } }, { refetchInterval: EVERY_MS, fresh: true }).data ?? item;
  if (now.held_until === null) return null;
  return (
    <Notice>
      <span data-testid="being-validated">{t("team.beingValidated")}</span>
    </Notice>
  );
}
