import { useFormat } from "@/i18n/format";
import "./ui.css";

/** A moment in the reader's zone: relative text, exact on hover. */
export function Time({ at }: { at: string }) {
  const format = useFormat();
  return (
    <time className="tooltip-time" dateTime={at} title={format.exact(at)}>
      {format.relative(at)}
    </time>
  );
}
