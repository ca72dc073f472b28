/** A protocol's text with line numbers; each fault is marked at its line and listed with a link to it. */
import { useId, useRef, useState, type ChangeEvent, type DragEvent, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { Fault } from "@/api/types";
import { Button } from "@/ui/Button";
import { useWarningText } from "@/ui/warnings";
import { Problem } from "@/ui/Problem";
import { CommonNumbers } from "./CommonNumbers";
import { byLine, faultText, lineCount, lineRange, placeText } from "./faults";
import type { Checked } from "./useCheck";
import { warningsOf } from "./warnings";
import styles from "./benchmarks.module.css";

const LINE_PX = 20;

export function goToLine(area: HTMLTextAreaElement | null, line: number): void {
  if (area === null) return;
  const [start, end] = lineRange(area.value, line);
  area.focus();
  area.setSelectionRange(start, end);
  area.scrollTop = Math.max(0, (line - 6) * LINE_PX);
}

export function ProtocolEditor({
  label,
  value,
  onChange,
  checked,
  area,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  checked: Checked & { isCurrent: boolean };
  area: RefObject<HTMLTextAreaElement | null>;
}) {
  const { t } = useTranslation("benchmarks");
  const id = useId();
  const gutter = useRef<HTMLDivElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const faults = value.trim() === "" ? [] : (checked.answer?.faults ?? []);
  const lines = byLine(faults);
  const warnings = value.trim() === "" ? [] : warningsOf(checked.answer);
  const warningText = useWarningText();
  const warned = new Map(warnings.map((warning) => [warning.line, warningText(warning)]));

  const take = (chosen: File | undefined) => {
    if (chosen === undefined) return;
    chosen.arrayBuffer().then(
      (bytes) => {
        try {
          onChange(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
          setUnreadable(null);
        } catch {
          setUnreadable(chosen.name);
        }
      },
      () => setUnreadable(chosen.name),
    );
  };
  const onDrop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  };
  const onFile = (event: ChangeEvent<HTMLInputElement>) => {
    take(event.target.files?.[0]);
    event.target.value = ""; // the same file may be chosen again after it was fixed
  };

  return (
    <div className="editor">
      <div className={styles.editorHead}>
        <label htmlFor={id}>{label}</label>
        <span className={styles.editorState} role="status" data-testid="check-state">
          <CheckState value={value} checked={checked} />
        </span>
        <Button small onClick={() => file.current?.click()}>
          {t("editor.open")}
        </Button>
        <input ref={file} type="file" accept=".yaml,.yml,text/yaml" hidden aria-label={t("editor.open")} onChange={onFile} data-testid="protocol-file" />
      </div>
      {unreadable !== null && <Problem error={{ code: "browser_failed", params: { detail: t("editor.unreadable", { name: unreadable }) } }} />}
      {checked.error && <Problem error={checked.error} />}
      <CommonNumbers text={value} onChange={onChange} />
      <div className={styles.editorBody} onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
        <div className={styles.editorGutter} aria-hidden="true">
          <div ref={gutter}>
            {Array.from({ length: lineCount(value) }, (_, i) => (
              <div
                key={i}
                className={lines.has(i + 1) ? styles.faulty : warned.has(i + 1) ? styles.warned : undefined}
                title={lines.get(i + 1)?.map((fault) => faultText(t, fault)).join("\n") ?? warned.get(i + 1)}
              >
                {i + 1}
              </div>
            ))}
          </div>
        </div>
        <textarea
          id={id}
          ref={area}
          value={value}
          wrap="off"
          rows={24}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          aria-invalid={faults.length > 0 || undefined}
          aria-describedby={`${id}-faults ${id}-warnings`}
          onChange={(event) => onChange(event.target.value)}
          onScroll={(event) => {
            if (gutter.current) gutter.current.style.transform = `translateY(${String(-event.currentTarget.scrollTop)}px)`;
          }}
          data-testid="protocol-text"
        />
      </div>
      <FaultList id={`${id}-faults`} faults={faults} count={checked.answer?.fault_count ?? 0} area={area} />
      <ol className={`${styles.faults} ${styles.warnings}`} id={`${id}-warnings`} aria-label={t("editor.warnings")}>
        {warnings.map((warning) => (
          <li key={warning.code}>
            <button type="button" onClick={() => goToLine(area.current, warning.line)} data-testid={`protocol-warning-${warning.code}`}>
              <span className={styles.line}>{t("editor.line", { line: warning.line })}</span>
              <code>{placeText(t, warning.path)}</code>
              <span>{warningText(warning)}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The faults by line; the server lists the first ones and counts the rest. */
function FaultList({ id, faults, count, area }: { id: string; faults: readonly Fault[]; count: number; area: RefObject<HTMLTextAreaElement | null> }) {
  const { t } = useTranslation("benchmarks");
  const more = faults.length === 0 ? 0 : count - faults.length;
  return (
    <ol className={styles.faults} id={id} aria-label={t("editor.faults")}>
      {faults.map((fault, i) => (
        <li key={i}>
          <button type="button" onClick={() => goToLine(area.current, fault.line)} data-testid={`fault-${String(i)}`}>
            <span className={styles.line}>{t("editor.line", { line: fault.line })}</span>
            {fault.key !== "" && <code>{placeText(t, fault.key)}</code>}
            <span>{faultText(t, fault)}</span>
          </button>
        </li>
      ))}
      {more > 0 && <li data-testid="faults-more">{t("editor.more", { count: more })}</li>}
    </ol>
  );
}

function CheckState({ value, checked }: { value: string; checked: Checked & { isCurrent: boolean } }) {
  const { t } = useTranslation("benchmarks");
  if (value.trim() === "") return <span className="faint">{t("editor.empty")}</span>;
  if (!checked.isCurrent || checked.answer === null) return <span className="faint">{t("editor.checking")}</span>;
  const count = checked.answer.fault_count;
  const warned = warningsOf(checked.answer).length;
  return (
    <>
      {count === 0 ? <span className={styles.right}>{t("editor.valid")}</span> : <span className="wrong">{t("editor.count", { count })}</span>}
      {warned > 0 && <span className={styles.warned}> · {t("editor.warned", { count: warned })}</span>}
    </>
  );
}
