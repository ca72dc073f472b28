/** One figure of a board: its value, whisker and interval, leading to the samples it counts. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useFormat } from "@/i18n/format";
import type { Cell } from "./board";
import { Whisker } from "@/ui/Whisker";
import styles from "./leaderboard.module.css";

export function Figure({
  cell,
  to,
  samples,
  isCounted = false,
}: {
  cell: Cell | null;
  to: number;
  samples: string | null;
  /** Shows how many queries were scored where some were not; not needed where a column shows it. */
  isCounted?: boolean;
}) {
  const { t } = useTranslation("leaderboard");
  const format = useFormat();
  if (cell?.value == null) return <span className="faint">—</span>;
  const { value, low, high } = cell;
  const hasInterval = low !== null && high !== null;
  const counted = t("figure.counted", { scored: format.number(cell.n_scored), expected: format.number(cell.n_expected) });
  const interval = hasInterval ? t("figure.interval", { low: format.percent(low, 1, 1), high: format.percent(high, 1, 1) }) : "";
  const description = interval === "" ? counted : `${interval}; ${counted}`;
  const number = (
    <b className={styles.boardValue} data-testid={cell.group_by === "" ? `score-${cell.scope}-${cell.metric}` : undefined} data-value={value}>
      {format.percent(value, 1, 1)}
    </b>
  );
  return (
    <span className={styles.boardFigure} title={description}>
      {samples === null ? (
        number
      ) : (
        <Link to={samples} aria-label={t("figure.open", { value: format.percent(value, 1, 1), description })}>
          {number}
        </Link>
      )}
      <Whisker value={value} low={low} high={high} to={to} label={description} />
      <span className={`tiny ${styles.boardInterval}`}>
        {hasInterval ? `${format.number(low * 100, 1, 1)} – ${format.number(high * 100, 1, 1)}` : t("figure.noInterval")}
      </span>
      {isCounted && cell.n_scored !== cell.n_expected && <span className={`tiny ${styles.boardCounted}`}>{counted}</span>}
    </span>
  );
}
