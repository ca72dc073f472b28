/** Findings of the server, each a sentence in the reader's language under the field it concerns. */
import type { Finding, TextNode } from "@/api/types";
import { markedTexts } from "./spans";
import styles from "./text.module.css";

/** Stretches longer than this list are summed up: a line should stay a line. */
const SHOWN = 4;

/** What a kind says about a finding. */
export interface FindingText {
  /** The kind's sentence for it. */
  sentence: string;
  /** The text of the finding's field, to quote what is marked in it; left out where the sentence says it. */
  quoted?: string | undefined;
}

export function FindingLines({
  findings,
  say,
  node,
}: {
  findings: readonly Finding[];
  say: (finding: Finding) => FindingText;
  /** The node of the findings' field, if it is a text. */
  node?: TextNode;
}) {
  return findings.map((finding) => (
    <FindingLine key={`${finding.code}-${JSON.stringify(finding.params)}`} finding={finding} {...say(finding)} node={node} />
  ));
}

function FindingLine({ finding, sentence, quoted = "", node }: FindingText & { finding: Finding; node: TextNode | undefined }) {
  const marked = markedTexts(
    quoted,
    finding.spans.filter((span) => span.field === finding.field),
  );
  return (
    <p className={styles.finding} data-severity={finding.severity} data-testid={`finding-${finding.code}`}>
      <span>{sentence}</span>
      {marked.length > 0 && (
        <bdi className={styles.findingQuoted} lang={node?.lang} dir={node?.dir}>
          {marked.slice(0, SHOWN).join(" · ")}
          {marked.length > SHOWN ? " …" : ""}
        </bdi>
      )}
    </p>
  );
}
