/** One text as it was submitted, with its marks and what the server found in it. */
import type { Finding } from "@/api/types";
import type { ReaderProps } from "../kind";
import { textAt } from "../tree";
import { findingsOf, marksIn } from "./fields";
import { FindingLines, type FindingText } from "./FindingLines";
import { segmentsOf } from "./spans";
import styles from "./text.module.css";

interface TextReadProps {
  /** What the kind's reader was given. */
  reader: ReaderProps;
  path: string;
  say: (finding: Finding) => FindingText;
}

export function TextRead({ reader, path, say }: TextReadProps) {
  const { rules, content, findings = [] } = reader;
  const text = textAt(rules.content, content, path);
  if (text === null) return null;
  return (
    <div className={styles.textRead}>
      <p lang={text.node.lang} dir={text.node.dir}>
        {segmentsOf(text.value, marksIn(findings, path)).map((segment, index) =>
          segment.marked ? <mark key={index}>{segment.text}</mark> : <span key={index}>{segment.text}</span>,
        )}
      </p>
      <FindingLines findings={findingsOf(findings, path)} say={say} node={text.node} />
    </div>
  );
}

/** One text within a line, as it is. */
export function ShortText({ reader, path }: Pick<TextReadProps, "reader" | "path">) {
  const text = textAt(reader.rules.content, reader.content, path);
  return (
    text && (
      <bdi lang={text.node.lang} dir={text.node.dir}>
        {text.value}
      </bdi>
    )
  );
}
