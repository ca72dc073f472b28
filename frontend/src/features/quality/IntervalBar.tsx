/** A share with its interval: a whisker from low to high and a dot at what was seen. */
import { useTranslation } from "react-i18next";
import type { Inspection } from "@/api/types";
import { useFormat } from "@/i18n/format";
import styles from "./quality.module.css";

const WIDTH = 300;

export function IntervalBar({ interval, limit }: { interval: NonNullable<Inspection["interval"]>; limit: number }) {
  const { t } = useTranslation("quality");
  const format = useFormat();
  const seen = interval.n === 0 ? 0 : interval.right / interval.n;
  // Half of all packages have every share above a half; the lower part is shown only when it is needed.
  const from = interval.low >= 0.5 ? 0.5 : 0;
  const x = (share: number) => 8 + ((share - from) / (1 - from)) * (WIDTH - 16);
  const text = t("interval.text", {
    low: format.percent(interval.low, 1),
    high: format.percent(interval.high, 1),
    method: t(`interval.method.${interval.method}`, { defaultValue: interval.method }),
  });
  return (
    <figure className={styles.interval}>
      <svg viewBox={`0 0 ${WIDTH} 44`} role="img" aria-label={text}>
        <line x1={x(from)} x2={x(1)} y1={20} y2={20} className="axis" />
        <line x1={x(limit / 100)} x2={x(limit / 100)} y1={8} y2={32} className={styles.limit} />
        <line x1={x(interval.low)} x2={x(interval.high)} y1={20} y2={20} className={styles.whisker} />
        <line x1={x(interval.low)} x2={x(interval.low)} y1={14} y2={26} className={styles.whisker} />
        <line x1={x(interval.high)} x2={x(interval.high)} y1={14} y2={26} className={styles.whisker} />
        <circle cx={x(seen)} cy={20} r={4.5} />
        <text x={x(from)} y={42}>
          {format.percent(from, 0)}
        </text>
        <text x={x(1)} y={42} textAnchor="end">
          {format.percent(1, 0)}
        </text>
      </svg>
      <figcaption className="tiny">{text}</figcaption>
    </figure>
  );
}
