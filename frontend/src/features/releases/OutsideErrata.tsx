/** Reporting mistakes in public releases without being a member: the form, and one's own reports. */
import { useTranslation } from "react-i18next";
import { Link, Navigate, useLocation, useSearchParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import type { Answer } from "@/api/request";
import { useLocalised } from "@/i18n/localised";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { ErrataList } from "./ErrataList";
import { ReportForm } from "./ReportForm";

export function OutsideErrata() {
  const slug = useSlug();
  const { search } = useLocation();
  const page = useRead("submit_show", { path: { b: slug } });
  return <Loaded of={page}>{(of) => (of.participation === "member" ? <Navigate to={`/b/${slug}/errata${search}`} replace /> : <Reporting of={of} />)}</Loaded>;
}

function Reporting({ of }: { of: Answer<"submit_show"> }) {
  const { t } = useTranslation("releases");
  const name = useLocalised();
  const { slug, title } = of.benchmark;
  const [labels] = useSearchParams();
  const join = useWrite("submit_join");
  const isIn = of.participation === "outsider";
  const mayReport = isIn || (of.participation === "none" && of.may_join);
  return (
    <Page
      title={name(title)}
      lead={
        <>
          {t("errata.leadOwn")}<Gap /><a href={of.url}>{t("errata.publicPages")}</a> · <Link to={`/submit/${slug}`}>{t("errata.toSubmit")}</Link>
        </>
      }
      narrow
    >
      {mayReport ? (
        <ReportForm
          slug={slug}
          release={labels.get("release") ?? ""}
          item={labels.get("item") ?? ""}
          outside
          // A person with an account of another benchmark joins with the first report.
          {...(isIn ? {} : { before: () => join.mutateAsync({ path: { b: slug }, body: {} }) })}
        />
      ) : (
        <Notice tone="warn">{t(of.participation === "barred" ? "errata.barred" : "errata.invited")}</Notice>
      )}
      {isIn && <ErrataList slug={slug} />}
    </Page>
  );
}
