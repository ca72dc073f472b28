/** One text as it was submitted, with its marks and what the server found in it. */
import type { Finding } from "@/api/types";
import { findingsOf, marksIn } from "./fields";
import { FindingLines, type FindingText } from "./FindingLines";
import { segmentsOf } from "./spans";
import styles from "./text.module.css";

interface TextReadProps {
  path: string;
  value: string;
  lang: string;
  findings: readonly Finding[];
  say: (finding: Finding) => FindingText;
}

export function TextRead({ path, value, lang, findings, say }: TextReadProps) {
  return (
    <div className={styles.textRead}>
      <p lang={lang}>
        {segmentsOf(value, marksIn(findings, path)).map((segment, index) =>
          segment.marked ? <mark key={index}>{segment.text}</mark> : <span key={index}>{segment.text}</span>,
        )}
      </p>
      <FindingLines findings={findingsOf(findings, path)} say={say} lang={lang} />
    </div>
  );
}
