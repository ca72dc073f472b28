/** The benchmark's guidelines, one row per kind of work: which version is in force, and whether one works by it. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";

export function GuidelinesPage() {
  const { t } = useTranslation("guidelines");
  const slug = useSlug();
  const may = useMay(slug);
  const list = useRead("guideline_list", { path: { b: slug } });
  return (
    <Page title={t("title")} lead={t("lead")}>
      <Loaded of={list}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t("empty.title")}>{t("empty.text")}</Empty>
          ) : (
            <WideTable label={t("title")}>
              <table className="table" data-testid="guidelines">
                <TableHead columns={[t("kind"), t("inForce"), t("changed"), t("since"), may("item_submit") ? t("mine") : ""]} />
                <tbody>
                  {rows.map((row) => (
                    <tr key={row.kind}>
                      <td>
                        <Link to={`/b/${slug}/guidelines/${row.kind}`}>{t([`ui:kind.${row.kind}`, row.kind])}</Link>
                      </td>
                      <td className="number-left">
                        {row.version === null ? <span className="dim">{t("none")}</span> : t("version", { version: row.version })}
                      </td>
                      <td>{row.note}</td>
                      <td className="dim">{row.created_at !== null && <Time at={row.created_at} />}</td>
                      <td>
                        {row.version !== null ? (
                          may("item_submit") && (
                            <Chip tone={row.acknowledged ? "good" : "warn"}>{row.acknowledged ? t("read") : t("unread")}</Chip>
                          )
                        ) : (
                          may("guideline_add") && (
                            <ButtonLink small to={`/b/${slug}/guidelines/${row.kind}/edit`}>
                              {t("action.first")}
                            </ButtonLink>
                          )
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </WideTable>
          )
        }
      </Loaded>
    </Page>
  );
}
