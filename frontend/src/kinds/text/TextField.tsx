/** One text to write: the field with its marks, how long it is, and what the server found in it. */
import { useTranslation } from "react-i18next";
import type { Finding } from "@/api/types";
import { findingsOf, lettersIn, marksIn } from "./fields";
import { FindingLines, type FindingText } from "./FindingLines";
import { MarkedField } from "./MarkedField";
import styles from "./text.module.css";

interface TextFieldProps {
  /** The element's id; findings and count derive theirs from it. */
  id: string;
  /** The path that findings call it by. */
  path: string;
  value: string;
  lang: string;
  label: string;
  placeholder?: string;
  /** All findings of the content; those of the path are shown, marks of others drawn. */
  findings: readonly Finding[];
  /** Code of findings not shown before anything was typed. */
  emptyCode: string;
  /** The kind's sentence for a finding, and the text to quote marks from. */
  say: (finding: Finding) => FindingText;
  reasons: Readonly<Record<string, string>>;
  focused: boolean;
  onFocus: () => void;
  onChange: (value: string) => void;
}

export function TextField(props: TextFieldProps) {
  const { id, path, value, lang, label, placeholder, emptyCode, say, reasons, focused, onFocus, onChange } = props;
  const { t } = useTranslation("kinds");
  const own = findingsOf(props.findings, path).filter((finding) => value !== "" || finding.code !== emptyCode);
  const isWrong = own.some((finding) => finding.severity === "error" && reasons[finding.code] === undefined);
  return (
    <>
      <MarkedField
        id={id}
        value={value}
        lang={lang}
        label={label}
        placeholder={placeholder}
        describedBy={own.length > 0 ? `${id}-findings` : undefined}
        invalid={isWrong}
        marks={marksIn(props.findings, path)}
        focused={focused}
        onFocus={onFocus}
        onChange={onChange}
      />
      <span
        className={own.length === 0 && value !== "" ? `${styles.textCount} ${styles.isGood}` : styles.textCount}
        title={t("text.countHint")}
        data-testid={`${id}-count`}
      >
        {lettersIn(value)}
      </span>
      {own.length > 0 && (
        <div className={styles.textFindings} id={`${id}-findings`} aria-live="polite">
          <FindingLines findings={own} say={say} lang={lang} />
        </div>
      )}
    </>
  );
}
