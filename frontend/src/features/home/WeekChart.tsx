import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import styles from "./home.module.css";

const WIDTH = 252;
const HEIGHT = 64;

/** One bar a day, today last and paler because it is not over. */
export function WeekChart({ byDay }: { byDay: readonly { day: string; written: number }[] }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  const most = Math.max(1, ...byDay.map((day) => day.written));
  const step = WIDTH / byDay.length;
  // Noon, so that no time zone moves the date to the day before.
  const days = byDay.map(({ day, written }) => ({ count: written, name: format.day(new Date(`${day}T12:00:00`)) }));
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT + 16}`}
      className={styles.weekchart}
      role="img"
      aria-label={t("week.chart", { days: days.map((day) => `${day.name} ${day.count}`).join(", ") })}
    >
      {days.map((day, i) => {
        // An empty day keeps a line, so that it reads as zero and not as missing.
        const height = day.count === 0 ? 1.5 : Math.max(4, (day.count / most) * HEIGHT);
        return (
          <g key={i}>
            <title>{`${day.name} ${day.count}`}</title>
            <rect x={i * step + 4} y={HEIGHT - height} width={step - 8} height={height} rx="3" opacity={i === days.length - 1 ? 0.55 : 1} />
            <text x={i * step + step / 2} y={HEIGHT + 13} textAnchor="middle">
              {day.name}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
