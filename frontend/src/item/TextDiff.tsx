/** One text as it became another: struck out and underlined, so that the colour is not needed. */
import { useMemo } from "react";
import { changesBetween } from "./diff";
import styles from "./diff.module.css";

export function TextDiff({ before, after, lang }: { before: string; after: string; lang: string }) {
  const changes = useMemo(() => changesBetween(before, after), [before, after]);
  return (
    <p className={styles.textDiff} lang={lang}>
      {changes.map(({ kind, text }, index) =>
        kind === "removed" ? <del key={index}>{text}</del> : kind === "added" ? <ins key={index}>{text}</ins> : <span key={index}>{text}</span>,
      )}
    </p>
  );
}
