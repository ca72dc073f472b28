/** One text to write: the field with its marks, how long it is, and what the server found in it. */
import { useTranslation } from "react-i18next";
import type { Finding } from "@/api/types";
import type { EditorProps } from "../kind";
import { set, textAt } from "../tree";
import { findingsOf, lettersIn, marksIn } from "./fields";
import { FindingLines, type FindingText } from "./FindingLines";
import { MarkedField } from "./MarkedField";
import styles from "./text.module.css";

interface TextFieldProps {
  /** What the kind's editor was given. */
  editor: EditorProps;
  path: string;
  /** The element's id; findings and count derive theirs from it. */
  id: string;
  label: string;
  placeholder?: string;
  /** Codes of findings not shown before anything was typed. */
  emptyCodes: readonly string[];
  /** The kind's sentence for a finding, and the text to quote marks from. */
  say: (finding: Finding) => FindingText;
}

export function TextField({ editor, path, id, label, placeholder, emptyCodes, say }: TextFieldProps) {
  const { rules, content, findings, reasons } = editor;
  const { t } = useTranslation("kinds");
  const text = textAt(rules.content, content, path);
  if (text === null) return null;
  const { node, value } = text;
  const own = findingsOf(findings, path).filter((finding) => value !== "" || !emptyCodes.includes(finding.code));
  const isWrong = own.some((finding) => finding.severity === "error" && reasons[finding.code] === undefined);
  return (
    <>
      <MarkedField
        id={id}
        value={value}
        node={node}
        label={label}
        placeholder={placeholder}
        describedBy={own.length > 0 ? `${id}-findings` : undefined}
        invalid={isWrong}
        marks={marksIn(findings, path)}
        focused={editor.field === path}
        onFocus={() => editor.onField(path)}
        onChange={(typed) => editor.onChange(set(rules.content, content, path, typed))}
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
          <FindingLines findings={own} say={say} node={node} />
        </div>
      )}
    </>
  );
}
