/** What a release of several kinds holds of each, and what each is compared with. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ReleaseDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { TableHead } from "@/ui/TableHead";
import styles from "./releases.module.css";

export function Kinds({ release, slug }: { release: ReleaseDetail; slug: string }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  if (release.by_kind.length < 2) return null;
  return (
    <section className="card" aria-labelledby="kinds">
      <h2 id="kinds">{t("kinds.title")}</h2>
      <table className={`table ${styles.splits}`} data-testid="kinds">
        <TableHead columns={[t("kinds.kind"), { number: t("column.images") }, { number: t("column.items") }, t("facts.previous")]} />
        <tbody>
          {release.by_kind.map((own) => (
            <tr key={own.kind} data-testid={`kind-${own.kind}`}>
              <th scope="row" title={own.digest ?? undefined}>
                {t(`ui:kind.${own.kind}`)}
              </th>
              <td className="number">{own.images === null ? <span className="faint">—</span> : format.number(own.images)}</td>
              <td className="number">{format.number(own.items)}</td>
              <td>
                {own.previous === null ? (
                  <span className="faint">—</span>
                ) : (
                  <Link to={`/b/${slug}/releases/${own.previous.id}`}>{own.previous.label}</Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="tiny">{t("kinds.text")}</p>
    </section>
  );
}
