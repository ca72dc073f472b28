/** One finding of the server, said in the reader's language under the field it concerns. */
import type { Finding } from "@/api/types";
import { markedTexts } from "./spans";
import styles from "./text.module.css";

/** Stretches longer than this list are summed up: a line should stay a line. */
const SHOWN = 4;

interface FindingLineProps {
  finding: Finding;
  /** The kind's sentence for it. */
  sentence: string;
  /** The text of the finding's field, to quote what is marked in it; left out where the sentence says it. */
  quoted?: string | undefined;
  lang: string;
}

export function FindingLine({ finding, sentence, quoted = "", lang }: FindingLineProps) {
  const marked = markedTexts(
    quoted,
    finding.spans.filter((span) => span.field === finding.field),
  );
  return (
    <p className={styles.finding} data-severity={finding.severity} data-testid={`finding-${finding.code}`}>
      <span>{sentence}</span>
      {marked.length > 0 && (
        <span className={styles.findingQuoted} lang={lang}>
          {marked.slice(0, SHOWN).join(" · ")}
          {marked.length > SHOWN ? " …" : ""}
        </span>
      )}
    </p>
  );
}
