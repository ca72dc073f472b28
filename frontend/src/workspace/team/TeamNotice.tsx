/** Above a colleague's item: whose text it is, and what changing it means. */
import { useTranslation } from "react-i18next";
import type { PeerItem } from "@/api/types";
import { Notice } from "@/ui/Notice";

export function TeamNotice({ item }: { item: PeerItem }) {
  const { t } = useTranslation("workspace");
  if (item.mine || item.revision_no === 0 || item.state === "returned") return null;
  const name = item.author?.name ?? t("team.colleague");
  return (
    <Notice tone={item.state === "accepted" ? "warn" : "plain"}>
      <span data-testid="colleagues">{t(item.state === "accepted" ? "team.editAccepted" : "team.edit", { name })}</span>
    </Notice>
  );
}
