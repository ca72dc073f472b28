import { useFormat } from "@/i18n/format";
import "./ui.css";

/** A moment in the reader's zone: relative text, exact on hover. `sentence` puts it into a text whose word order differs by language. */
export function Time({ at, sentence }: { at: string; sentence?: (time: string) => string }) {
  const format = useFormat();
  const time = format.relative(at);
  return (
    <time className={sentence ? undefined : "tooltip-time"} dateTime={at} title={format.exact(at)}>
      {sentence ? sentence(time) : time}
    </time>
  );
}
