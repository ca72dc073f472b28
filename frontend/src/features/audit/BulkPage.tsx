/** The bulk actions that were applied in this benchmark. */
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import { EarlierBulks } from "@/bulk/EarlierBulks";
import { Page } from "@/ui/Page";

export function BulkPage() {
  const { t } = useTranslation("bulk");
  return (
    <Page title={t("earlier.title")} lead={t("earlier.lead")}>
      <EarlierBulks slug={useSlug()} />
    </Page>
  );
}
