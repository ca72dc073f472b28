/** Reasons to keep what an overridable finding is about: to give while writing, to read while judging. */
import { useContext, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Finding, WorkRules } from "@/api/types";
import { Gap } from "@/ui/Gap";
import { HeldBackContext } from "../heldBack";
import { languageOf } from "../tree";
import styles from "./text.module.css";

interface OverrideReasonsProps {
  findings: readonly Finding[];
  reasons: Readonly<Record<string, string>>;
  /** The kind's sentence that asks for the reason of a code. */
  ask: (code: string) => string;
  onReason: (code: string, reason: string) => void;
}

export function OverrideReasons({ findings, reasons, ask, onReason }: OverrideReasonsProps) {
  const { t } = useTranslation("kinds");
  const heldBack = useContext(HeldBackContext);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (heldBack > 0) first.current?.focus();
  }, [heldBack]);
  const overridable = findings.filter((finding) => finding.overridable && finding.severity === "error");
  const codes = [...new Set(overridable.map(({ code }) => code))];
  const missing = codes.filter((code) => (reasons[code] ?? "").trim() === "");
  return codes.map((code) => (
    <label key={code} className={styles.textReason}>
      <span>{ask(code)}</span>
      <input
        ref={code === missing[0] ? first : undefined}
        type="text"
        aria-invalid={(heldBack > 0 && missing.includes(code)) || undefined}
        value={reasons[code] ?? ""}
        maxLength={300}
        placeholder={t("text.overridePlaceholder")}
        onChange={(event) => onReason(code, event.target.value)}
        data-testid={`reason-${code}`}
      />
    </label>
  ));
}

export function KeptReasons({ reasons, rules }: { reasons: Readonly<Record<string, string>>; rules: WorkRules }) {
  const { t } = useTranslation("kinds");
  return Object.entries(reasons).map(([code, reason]) => (
    <p key={code} className={styles.textKept} data-testid={`kept-${code}`}>
      {t("text.kept")}<Gap /><q lang={languageOf(rules.content)}>{reason}</q>
    </p>
  ));
}
