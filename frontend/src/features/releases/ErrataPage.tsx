/** Reported mistakes in published releases, for members: the form for a report, and the list with what was decided. */
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useMay } from "@/api/session";
import { Page } from "@/ui/Page";
import { ErrataList } from "./ErrataList";
import { ReportForm } from "./ReportForm";

export function ErrataPage() {
  const { t } = useTranslation("releases");
  const slug = useSlug();
  const may = useMay(slug);
  const [labels] = useSearchParams();
  const form = may("erratum_report") && <ReportForm slug={slug} release={labels.get("release") ?? ""} item={labels.get("item") ?? ""} />;
  // Who decides about reports comes for these, unless a link names what is to be reported.
  const isListFirst = may("erratum_confirm") && labels.get("item") === null;
  return (
    <Page title={t("errata.title")} lead={t(may("erratum_confirm") ? "errata.lead" : "errata.leadOwn")} narrow>
      {!isListFirst && form}
      <ErrataList slug={slug} />
      {isListFirst && form}
    </Page>
  );
}
