/** A rate as a dot with its interval as a whisker, on a scale that all rows of a table share. */
import { useTranslation } from "react-i18next";
import type { Answer } from "@/api/request";
import { useFormat } from "@/i18n/format";
import styles from "./statistics.module.css";

type Interval = NonNullable<Answer<"quality_show">["people"][number]["interval"]>;

const WIDTH = 120;
const EDGE = 5;

/** The start of the shared scale: 0.5 when no interval reaches below it, else 0. */
export function scaleFrom(rows: readonly { interval: { low: number } | null }[]): number {
  return rows.every((row) => row.interval === null || row.interval.low >= 0.5) ? 0.5 : 0;
}

export function Whisker({ rate, interval, from }: { rate: number | null; interval: Interval | null; from: number }) {
  const { t } = useTranslation("statistics");
  const format = useFormat();
  if (rate === null) return <span className="faint">{t("noRate")}</span>;
  const x = (share: number) => EDGE + ((Math.max(from, share) - from) / (1 - from)) * (WIDTH - 2 * EDGE);
  const description =
    interval === null
      ? format.percent(rate)
      : t("interval", {
          rate: format.percent(rate),
          low: format.percent(interval.low),
          high: format.percent(interval.high),
          method: t([`method.${interval.method}`, "method.other"], { method: interval.method }),
        });
  return (
    <span className={styles.whisker} title={description}>
      <svg viewBox={`0 0 ${WIDTH} 20`} width={WIDTH} height={20} role="img" aria-label={description}>
        <line x1={EDGE} x2={WIDTH - EDGE} y1={10} y2={10} className="axis" />
        {interval && (
          <>
            <line x1={x(interval.low)} x2={x(interval.high)} y1={10} y2={10} className={styles.reach} />
            <line x1={x(interval.low)} x2={x(interval.low)} y1={5} y2={15} className={styles.reach} />
            <line x1={x(interval.high)} x2={x(interval.high)} y1={5} y2={15} className={styles.reach} />
          </>
        )}
        <circle cx={x(rate)} cy={10} r={4} />
      </svg>
      <span className="number">
        {format.percent(rate)}
        {interval && (
          <span className={`tiny ${styles.whiskerRange}`}>
            {format.percent(interval.low)}–{format.percent(interval.high)}
          </span>
        )}
      </span>
    </span>
  );
}
