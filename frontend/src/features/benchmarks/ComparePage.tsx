/** Two versions of a protocol side by side; the address names both. */
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { ChangeList } from "./ChangeList";
import { RoleChanges } from "./RoleChanges";
import { CompareForm } from "./VersionsPage";

export function ComparePage() {
  const { t } = useTranslation("benchmarks");
  const slug = useSlug();
  const [search] = useSearchParams();
  const newer = Number(search.get("version") ?? 0);
  const older = Number(search.get("with") ?? 0);
  const versions = useRead("protocol_list", { path: { b: slug } });
  const isChosen = newer > 0 && older > 0;
  const compared = useRead("protocol_compare", { path: { b: slug, version: newer }, query: { with: older } }, { enabled: isChosen, staleTime: Infinity });
  return (
    <Page
      title={t("compare.title")}
      lead={isChosen ? t("compare.lead", { newer, older }) : t("compare.choose")}
      actions={<ButtonLink to={`/b/${slug}/protocol/versions`}>{t("versions.title")}</ButtonLink>}
    >
      {versions.data && <CompareForm key={`${String(newer)} ${String(older)}`} slug={slug} rows={versions.data} {...(isChosen ? { older, newer } : {})} />}
      {isChosen && (
        <Loaded of={compared}>
          {(answer) => (
            <>
              {answer.asks_consent_again && <Notice>{t("compare.consentChanges")}</Notice>}
              <RoleChanges changes={answer.role_changes} under={1} />
              <ChangeList changes={answer.changes} under={1} />
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}
