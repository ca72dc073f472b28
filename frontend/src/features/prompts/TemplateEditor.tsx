/** A prompt's text while a copy is edited, and the list of its faults with links to their lines. */
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { Fault } from "@/api/types";
import { faultText } from "./versions";
import styles from "./prompts.module.css";

interface TemplateEditorProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  value: string;
  onChange: (text: string) => void;
  isWrong: boolean;
}

/** The id of the list of faults, which stands in place of the rendering. */
export const FAULTS = "prompt-faults";

export function TemplateEditor({ ref, value, onChange, isWrong }: TemplateEditorProps) {
  const { t } = useTranslation("prompts");
  return (
    <textarea
      ref={ref}
      className={`input ${styles.editor}`}
      aria-label={t("template")}
      aria-invalid={isWrong || undefined}
      aria-describedby={FAULTS}
      value={value}
      wrap="soft"
      rows={Math.min(28, Math.max(12, value.split("\n").length + 2))}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      maxLength={100_000}
      onChange={(event) => onChange(event.target.value)}
      data-testid="prompt-text"
    />
  );
}

/** Faults by line; without `onLine` they are no links. */
export function Faults({ id, faults, onLine }: { id: string; faults: readonly Fault[]; onLine?: ((line: number) => void) | undefined }) {
  const { t } = useTranslation("prompts");
  return (
    <ol className={styles.faults} id={id} aria-label={t("faults")}>
      {faults.map((fault, i) => (
        <li key={i} data-testid={`prompt-fault-${String(i)}`}>
          {onLine === undefined ? (
            <b>{t("line", { line: fault.line })}</b>
          ) : (
            <button type="button" onClick={() => onLine(fault.line)}>
              {t("line", { line: fault.line })}
            </button>
          )}{" "}
          <span>{faultText(t, fault)}</span>
        </li>
      ))}
    </ol>
  );
}
