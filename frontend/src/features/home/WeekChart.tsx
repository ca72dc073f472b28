import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";

const WIDTH = 252;
const HEIGHT = 64;
const DAY_MS = 86_400_000;

/** Seven bars, today (a time in milliseconds) last and paler because it is not over. */
export function WeekChart({ byDay, today }: { byDay: readonly number[]; today: number }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  const most = Math.max(1, ...byDay);
  const step = WIDTH / byDay.length;
  const days = byDay.map((count, i) => ({ count, name: format.day(new Date(today - (byDay.length - 1 - i) * DAY_MS)) }));
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT + 16}`}
      className="weekchart"
      role="img"
      aria-label={t("week.chart", { days: days.map((day) => `${day.name} ${day.count}`).join(", ") })}
    >
      {days.map((day, i) => {
        // An empty day keeps a line, so that it reads as zero and not as missing.
        const height = day.count === 0 ? 1.5 : Math.max(4, (day.count / most) * HEIGHT);
        return (
          <g key={i} opacity={i === days.length - 1 ? 0.55 : 1}>
            <title>{`${day.name} ${day.count}`}</title>
            <rect x={i * step + 4} y={HEIGHT - height} width={step - 8} height={height} rx="3" />
            <text x={i * step + step / 2} y={HEIGHT + 13} textAnchor="middle">
              {day.name}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
