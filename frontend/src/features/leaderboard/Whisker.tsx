import styles from "./leaderboard.module.css";
/** A value as a dot and its interval as a whisker. */

const WIDTH = 84;
const EDGE = 4;

export function Whisker({
  value,
  low,
  high,
  from = 0,
  to,
  label,
  zero = false,
}: {
  value: number;
  low: number | null;
  high: number | null;
  from?: number;
  to: number;
  /** Read out in place of the drawing. */
  label: string;
  /** Marks zero: for differences. */
  zero?: boolean;
}) {
  const x = (at: number) => EDGE + ((Math.min(to, Math.max(from, at)) - from) / (to - from)) * (WIDTH - 2 * EDGE);
  return (
    <svg className={styles.boardWhisker} viewBox={`0 0 ${WIDTH} 14`} width={WIDTH} height={14} role="img" aria-label={label}>
      <line x1={EDGE} x2={WIDTH - EDGE} y1={7} y2={7} className="axis" />
      {zero && <line x1={x(0)} x2={x(0)} y1={0} y2={14} className={styles.zero} />}
      {low !== null && high !== null && (
        <>
          <line x1={x(low)} x2={x(high)} y1={7} y2={7} />
          <line x1={x(low)} x2={x(low)} y1={3} y2={11} />
          <line x1={x(high)} x2={x(high)} y1={3} y2={11} />
        </>
      )}
      <circle cx={x(value)} cy={7} r={3} />
    </svg>
  );
}
