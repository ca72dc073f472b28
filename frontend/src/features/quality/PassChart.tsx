/** The chance that a package passes, by how much of it is really right: exact figures from the server, drawn. */
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import type { Inspection } from "@/api/types";

const WIDTH = 300;
const HEIGHT = 150;
const LEFT = 34;
const RIGHT = 14;
const TOP = 22;
const BOTTOM = 24;

export function PassChart({ chances }: { chances: Inspection["pass_chances"] }) {
  const { t } = useTranslation("quality");
  const format = useFormat();
  const sorted = [...chances].sort((a, b) => a.right_percent - b.right_percent);
  const low = sorted[0]?.right_percent ?? 0;
  const high = sorted.at(-1)?.right_percent ?? 100;
  const x = (percent: number) => LEFT + ((percent - low) / Math.max(1, high - low)) * (WIDTH - LEFT - RIGHT);
  const y = (chance: number) => TOP + (1 - chance) * (HEIGHT - TOP - BOTTOM);
  const told = sorted
    .map(({ right_percent, chance }) =>
      t("chart.point", { right: format.percent(right_percent / 100, 0), chance: format.percent(chance, 0) }),
    )
    .join("; ");
  return (
    <svg
      className="pass-chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${t("chart.title")}: ${told}`}
    >
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(share)} y2={y(share)} className={share === 0 ? "axis" : "grid"} />
          <text x={LEFT - 6} y={y(share) + 4} textAnchor="end">
            {Math.round(share * 100)}
          </text>
        </g>
      ))}
      <polyline points={sorted.map((point) => `${x(point.right_percent)},${y(point.chance)}`).join(" ")} />
      {sorted.map((point) => (
        <g key={point.right_percent}>
          <circle cx={x(point.right_percent)} cy={y(point.chance)} r={3.5} />
          <text x={x(point.right_percent)} y={HEIGHT - 8} textAnchor="middle">
            {format.percent(point.right_percent / 100, 0)}
          </text>
          <text x={x(point.right_percent)} y={y(point.chance) - 7} textAnchor="middle" className="value">
            {Math.round(point.chance * 100)}
          </text>
        </g>
      ))}
    </svg>
  );
}
