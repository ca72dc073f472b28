/** A share with its interval: a whisker from low to high and a dot at what was seen. */
import { useTranslation } from "react-i18next";
import type { Inspection } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Whisker } from "@/ui/Whisker";
import styles from "./quality.module.css";

export function IntervalBar({ interval, limit }: { interval: NonNullable<Inspection["interval"]>; limit: number }) {
  const { t } = useTranslation("quality");
  const format = useFormat();
  const seen = interval.n === 0 ? 0 : interval.right / interval.n;
  // Half of all packages have every share above a half; the lower part is shown only when it is needed.
  const from = interval.low >= 0.5 ? 0.5 : 0;
  const text = t("interval.text", {
    low: format.percent(interval.low, 1),
    high: format.percent(interval.high, 1),
    method: t(`interval.method.${interval.method}`, { defaultValue: interval.method }),
  });
  return (
    <figure className={styles.interval}>
      <Whisker
        value={seen}
        low={interval.low}
        high={interval.high}
        from={from}
        mark={limit / 100}
        ends={[format.percent(from, 0), format.percent(1, 0)]}
        label={text}
        width={300}
        height={28}
        radius={4.5}
      />
      <figcaption className="tiny">{text}</figcaption>
    </figure>
  );
}
