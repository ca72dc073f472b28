import "./ui.css";

/** A value as a dot and its interval as a whisker, on a scale from `from` to `to`; values beyond it are drawn at its ends. */
export function Whisker({
  value,
  low,
  high,
  from = 0,
  to = 1,
  mark,
  ends,
  label,
  width = 84,
  height = 14,
  radius = 3,
}: {
  value: number;
  low: number | null;
  high: number | null;
  from?: number;
  to?: number;
  /** Where a dashed line crosses the scale: a limit, or zero for differences. */
  mark?: number;
  /** Labels under the two ends of the scale. */
  ends?: readonly [string, string];
  /** Read out in place of the drawing. */
  label: string;
  width?: number;
  height?: number;
  radius?: number;
}) {
  const cap = radius + 1;
  const y = height / 2;
  const x = (at: number) => cap + ((Math.min(to, Math.max(from, at)) - from) / (to - from)) * (width - 2 * cap);
  const full = ends ? height + 16 : height;
  return (
    <svg className="whisker" viewBox={`0 0 ${width} ${full}`} width={width} height={full} role="img" aria-label={label}>
      <line x1={cap} x2={width - cap} y1={y} y2={y} className="axis" />
      {mark !== undefined && <line x1={x(mark)} x2={x(mark)} y1={0} y2={height} className="mark" />}
      {low !== null && high !== null && (
        <>
          <line x1={x(low)} x2={x(high)} y1={y} y2={y} />
          <line x1={x(low)} x2={x(low)} y1={y - cap} y2={y + cap} />
          <line x1={x(high)} x2={x(high)} y1={y - cap} y2={y + cap} />
        </>
      )}
      <circle cx={x(value)} cy={y} r={radius} />
      {ends?.map((text, index) => (
        <text key={index} x={index === 0 ? cap : width - cap} y={full - 2} textAnchor={index === 0 ? "start" : "end"}>
          {text}
        </text>
      ))}
    </svg>
  );
}
