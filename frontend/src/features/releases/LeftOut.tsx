import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ReleaseDetail } from "@/api/types";
import styles from "./releases.module.css";

/** Items that the release leaves out, by reason, with links to them: nothing is dropped silently. */
export function LeftOut({ release }: { release: ReleaseDetail }) {
  const { t } = useTranslation("releases");
  const rows = release.left_out.filter((row) => row.n > 0).sort((a, b) => b.n - a.n);
  if (rows.length === 0) return null;
  return (
    <section className="card" aria-labelledby="left-out" data-testid="left-out">
      <h2 id="left-out">{t("leftOut.title")}</h2>
      <p className="dim">{t("leftOut.text")}</p>
      <ul className={styles.leftOut}>
        {rows.map((row) => (
          <li key={row.code} data-testid={`left-out-${row.code}`}>
            <Link to={row.link}>{t(`leftOut.code.${row.code}`, { count: row.n })}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
