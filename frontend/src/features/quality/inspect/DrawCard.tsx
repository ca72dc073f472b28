/** The draw beside its items: how many, what passing allows, and after the last verdict the result with its interval. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { InspectionSheet } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Chances } from "@/ui/Chances";
import { IntervalBar } from "../IntervalBar";
import styles from "../quality.module.css";

interface DrawCardProps {
  sheet: InspectionSheet;
  judged: number;
  errors: number;
  children: ReactNode;
}

export function DrawCard({ sheet, judged, errors, children }: DrawCardProps) {
  const { t } = useTranslation("quality");
  const format = useFormat();
  const { inspection, items } = sheet;
  // A draw out of a pool has no inspector of its own, and one that was just started gets its inspector with the next answer.
  const judges = new Set(items.flatMap(({ inspection_verdict: verdict }) => (verdict === null ? [] : [verdict.judge?.name ?? t("ui:nameHidden")])));
  const corrected = items.filter((item) => item.stratum === "corrected").length;
  return (
    <aside className={`card ${styles.inspectDraw}`} data-testid="draw">
      {inspection.completed_at !== null && inspection.interval && (
        <div
          className={styles.inspectResult}
          data-testid="result"
          data-outcome={inspection.outcome}
        >
          <p className="big number">
            {inspection.interval.right} <span className={`dim ${styles.inspectOf}`}>/ {inspection.interval.n}</span>
          </p>
          <p>
            <strong>{t(`result.${inspection.outcome}`)}</strong>{" "}
            {t("result.text", { right: inspection.interval.right, n: inspection.interval.n })}
          </p>
          <IntervalBar interval={inspection.interval} limit={inspection.pass_over_percent} />
        </div>
      )}
      <p className="dim">
        {t("draw.text", {
          size: inspection.size,
          population: inspection.population,
          percent: format.percent(inspection.size / Math.max(1, inspection.population), 0),
        })}
        {corrected > 0 && ` ${t("draw.besides", { count: corrected })}`}
      </p>
      {inspection.completed_at === null && (
        <p className="big number" data-testid="judged">
          {judged} <span className={`dim ${styles.inspectOf}`}>/ {items.length}</span>
        </p>
      )}
      {children}
      <dl className="facts">
        <dt>{t("draw.errors")}</dt>
        <dd className={errors > inspection.errors_allowed ? `number ${styles.inspectOver}` : "number"}>{errors}</dd>
        <dt>{t("draw.allowed")}</dt>
        <dd className="number" data-testid="allowed">
          {inspection.errors_allowed}
        </dd>
        <dt>{t("draw.limit")}</dt>
        <dd>{t("draw.over", { percent: format.percent(inspection.pass_over_percent / 100, 0) })}</dd>
        <dt>{t("draw.seed")}</dt>
        <dd className="mono" title={t("draw.seedHint")}>
          {inspection.seed}
        </dd>
        <dt>{t("draw.round")}</dt>
        <dd className="number">{inspection.round}</dd>
        <dt>{t("draw.inspector")}</dt>
        <dd data-testid="inspector">{inspection.inspector?.name ?? (format.list([...judges]) || t("draw.noPerson"))}</dd>
      </dl>
      <Chances chances={inspection.pass_chances} />
    </aside>
  );
}
