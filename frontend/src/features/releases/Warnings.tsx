/** What does not prevent freezing but should be looked at: errata, repeated questions, few candidate answers. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ReleaseDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Chip } from "@/ui/Chip";
import styles from "./releases.module.css";

export function Warnings({ release }: { release: ReleaseDetail }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  const { warnings } = release;
  if (warnings.length === 0) return null;
  // Each code counts its own, those that are not listed included.
  const totals = new Map(warnings.map(({ code, params }) => [code, Number(params.total)]));
  return (
    <section className="card" aria-labelledby="warnings" data-testid="warnings">
      <h2 id="warnings">
        {t("warnings.title")} <Chip tone="warn">{format.number([...totals.values()].reduce((sum, n) => sum + n))}</Chip>
      </h2>
      <p className="dim">{t("warnings.text")}</p>
      <ul className={styles.gateLinks}>
        {warnings.map(({ code, label, link, params }) => (
          <li key={`${code} ${label} ${String(params.no)}`}>
            <Link to={link}>{t(`ui:kind.${label}`, { defaultValue: label })}</Link> <span className="dim">{t(`warnings.code.${code}`, { defaultValue: "", ...params })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
