import "./ui.css";

/** How much of something is done. `label` is read out; the bar itself shows no text. */
export function Meter({ value, of, label }: { value: number; of: number; label: string }) {
  const share = of <= 0 ? 0 : Math.min(1, Math.max(0, value / of));
  return (
    <span className="meter" role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={of} aria-valuenow={value}>
      <i style={{ width: `${share * 100}%` }} />
    </span>
  );
}
