/** A rate as a dot with its interval as a whisker, on a scale that all rows of a table share. */
import { useTranslation } from "react-i18next";
import type { Answer } from "@/api/request";
import { useFormat } from "@/i18n/format";
import { Whisker } from "@/ui/Whisker";
import styles from "./statistics.module.css";

type Interval = NonNullable<Answer<"quality_show">["people"][number]["interval"]>;

/** The start of the shared scale: 0.5 when no interval reaches below it, else 0. */
export function scaleFrom(rows: readonly { interval: { low: number } | null }[]): number {
  return rows.every((row) => row.interval === null || row.interval.low >= 0.5) ? 0.5 : 0;
}

export function Rate({ rate, interval, from }: { rate: number | null; interval: Interval | null; from: number }) {
  const { t } = useTranslation("statistics");
  const format = useFormat();
  if (rate === null) return <span className="faint">{t("noRate")}</span>;
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
    <span className={styles.rate} title={description}>
      <Whisker value={rate} low={interval?.low ?? null} high={interval?.high ?? null} from={from} width={120} height={20} radius={4} label={description} />
      <span className="number">
        {format.percent(rate)}
        {interval && (
          <span className={`tiny ${styles.rateRange}`}>
            {format.percent(interval.low)}–{format.percent(interval.high)}
          </span>
        )}
      </span>
    </span>
  );
}
