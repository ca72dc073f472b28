import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ReleaseDetail } from "@/api/types";
import styles from "./releases.module.css";

/** Items in work: where the protocol wants them finished first, they are listed there. */
const IN_WORK = ["item_made", "item_skipped", "item_returned"];

/** Items that the release leaves out, by reason, with links to them: nothing is dropped silently. */
export function NotIncluded({ release }: { release: ReleaseDetail }) {
  const { t } = useTranslation("releases");
  const blocks = release.gates.some(({ code }) => code === "item_not_accepted");
  const kinds = release.by_kind
    .map(({ kind, left_out: leftOut }) => ({
      kind,
      rows: leftOut.filter(({ code, n }) => n > 0 && !(blocks && IN_WORK.includes(code))).sort((a, b) => b.n - a.n),
    }))
    .filter(({ rows }) => rows.length > 0);
  if (kinds.length === 0) return null;
  return (
    <section className="card" aria-labelledby="not-included" data-testid="not-included">
      <h2 id="not-included">{t("notIncluded.title")}</h2>
      <p className="dim">{t("notIncluded.text")}</p>
      {kinds.map(({ kind, rows }) => (
        <div key={kind}>
          {release.kinds.length > 1 && <h3>{t(`ui:kind.${kind}`)}</h3>}
          <ul className={styles.leftOut}>
            {rows.map((row) => (
              <li key={row.code} data-testid={`not-included-${row.code}`}>
                <Link to={row.link}>{t(`notIncluded.code.${row.code}`, { count: row.n })}</Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
