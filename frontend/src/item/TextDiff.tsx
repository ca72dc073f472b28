/** One text as it became another: struck out and underlined, so that the colour is not needed. */
import { useMemo } from "react";
import { changesBetween } from "./diff";
import styles from "./diff.module.css";

interface TextDiffProps {
  before: string;
  after: string;
  /** A BCP 47 tag; undefined where it is not known. */
  lang: string | undefined;
  dir?: "ltr" | "rtl" | "auto";
}

export function TextDiff({ before, after, lang, dir = "auto" }: TextDiffProps) {
  const changes = useMemo(() => changesBetween(before, after), [before, after]);
  return (
    <p className={styles.textDiff} lang={lang} dir={dir}>
      {changes.map(({ kind, text }, index) =>
        kind === "removed" ? <del key={index}>{text}</del> : kind === "added" ? <ins key={index}>{text}</ins> : <span key={index}>{text}</span>,
      )}
    </p>
  );
}
