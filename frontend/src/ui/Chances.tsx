/** The chance that a package passes, by the share of items that are really right: a chart and a table of exact values. */
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { labelsThatFit } from "./labelsThatFit";
import "./ui.css";

interface Chance {
  right_percent: number;
  /** Between 0 and 1. */
  chance: number;
}

const WIDTH = 300;
const HEIGHT = 132;
const LEFT = 34;
const RIGHT = 16;
const TOP = 10;
const BOTTOM = 24;
/** Room that one label under the axis needs, in the drawing's own units. */
const LABEL = 34;

export function Chances({ chances }: { chances: readonly Chance[] }) {
  const { t } = useTranslation("ui");
  const format = useFormat();
  if (chances.length === 0) return null;
  const sorted = [...chances].sort((a, b) => a.right_percent - b.right_percent);
  const low = sorted[0]?.right_percent ?? 0;
  const high = sorted.at(-1)?.right_percent ?? 100;
  const x = (percent: number) => LEFT + ((percent - low) / Math.max(1, high - low)) * (WIDTH - LEFT - RIGHT);
  const y = (chance: number) => TOP + (1 - chance) * (HEIGHT - TOP - BOTTOM);
  const percent = (value: number) => format.percent(value / 100, 0);
  const points = sorted.map((one) => t("chances.point", { right: percent(one.right_percent), chance: format.percent(one.chance) }));
  const labels = labelsThatFit(sorted.map((one) => x(one.right_percent)), LABEL);
  const good = sorted.find((one) => one.right_percent === 98);
  // Poor work that always passes: in so small a package 10% are rounded to no wrong item, or the sample misses them.
  const decidesNothing = sorted[0]?.chance === 1;
  return (
    <div className="chances" data-testid="chances">
      <svg className="chances-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${t("chances.title")}: ${points.join("; ")}`}>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(share)} y2={y(share)} className={share === 0 ? "axis" : "grid"} />
            <text x={LEFT - 6} y={y(share) + 4} textAnchor="end">
              {Math.round(share * 100)}
            </text>
          </g>
        ))}
        <polyline points={sorted.map((point) => `${x(point.right_percent)},${y(point.chance)}`).join(" ")} />
        {sorted.map((point, index) => (
          <g key={point.right_percent}>
            <circle cx={x(point.right_percent)} cy={y(point.chance)} r={3.5} />
            {labels.has(index) && (
              <text x={x(point.right_percent)} y={HEIGHT - 7} textAnchor="middle">
                {percent(point.right_percent)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <table className="chances-table number">
        <caption className="tiny">{t("chances.title")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("chances.right")}</th>
            <th scope="col">{t("chances.passes")}</th>
            <th scope="col">{t("chances.fails")}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((one) => (
            <tr key={one.right_percent}>
              <th scope="row">{percent(one.right_percent)}</th>
              <td>{format.percent(one.chance)}</td>
              <td>{format.percent(1 - one.chance)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {decidesNothing ? (
        <p className="tiny" data-testid="good-fails">
          {t("chances.decidesNothing", { right: percent(low) })}
        </p>
      ) : (
        good && (
          <p className="tiny" data-testid="good-fails">
            {good.chance < 1
              ? t("chances.goodFails", { right: percent(98), chance: format.percent(1 - good.chance) })
              : t("chances.goodPasses", { right: percent(98) })}
          </p>
        )
      )}
    </div>
  );
}
