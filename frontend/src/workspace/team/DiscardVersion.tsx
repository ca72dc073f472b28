/** Puts away one's own version of an item, after a question. */
import { useTranslation } from "react-i18next";
import { AskFirst } from "./AskFirst";
import type { DiscardVersion as Discarding } from "./useDiscardVersion";

export function DiscardVersion({ label, version }: { label: string; version: Discarding }) {
  const { t } = useTranslation("workspace");
  return (
    <AskFirst
      open={t("team.version.open")}
      question={t("team.version.text", { label })}
      confirm={t("team.version.confirm")}
      isBusy={version.isBusy}
      onConfirm={version.discard}
      testId="discard-version"
    />
  );
}
