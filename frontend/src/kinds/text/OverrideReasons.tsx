/** Reasons to keep what an overridable finding is about: to give while writing, to read while judging. */
import { useTranslation } from "react-i18next";
import type { Finding, WorkRules } from "@/api/types";
import { Gap } from "@/ui/Gap";
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
  const overridable = findings.filter((finding) => finding.overridable && finding.severity === "error");
  return [...new Set(overridable.map(({ code }) => code))].map((code) => (
    <label key={code} className={styles.textReason}>
      <span>{ask(code)}</span>
      <input
        type="text"
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
