/** The releases that accept submissions: a participant's starting page. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useFormat } from "@/i18n/format";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import { CrewSection } from "./Crew";
import { useSubmissionPlaces } from "./places";
import styles from "./submissions.module.css";

export function OpenReleases() {
  const { t } = useTranslation("submissions");
  return (
    <Page title={t("open.title")} lead={t("open.lead")} narrow>
      <ReleaseTable />
      <CrewSection />
    </Page>
  );
}

/** The releases that one may submit for, with the number of one's own submissions. */
export function ReleaseTable() {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  const places = useSubmissionPlaces();
  const releases = useRead("submission_releases", { path: { b: useSlug() } });
  return (
    <Loaded of={releases}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={t("open.empty.title")}>{t("open.empty.text")}</Empty>
        ) : (
          <WideTable label={t("open.title")}>
            <table className={`table ${styles.submissionReleases}`} data-testid="open-releases">
              <TableHead columns={[t("open.release"), t("open.frozen"), { number: t("open.own") }, { number: <span className="visually-hidden">{t("open.go")}</span> }]} />
              <tbody>
                {rows.map(({ release, frozen_at: frozenAt, mine }) => (
                  <tr key={release.id}>
                    <th scope="row">
                      <Link to={places.list(release.id)}>{release.label}</Link> <span className="dim">{format.list(release.kinds.map((kind) => t(`ui:kind.${kind}`)))}</span>
                    </th>
                    <td className="dim">
                      <Time at={frozenAt} />
                    </td>
                    <td className="number">{format.number(mine)}</td>
                    <td className="number">
                      <ButtonLink small to={places.list(release.id)} data-testid={`submit-predictions-${release.label}`}>
                        {t("open.go")}
                      </ButtonLink>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </WideTable>
        )
      }
    </Loaded>
  );
}
