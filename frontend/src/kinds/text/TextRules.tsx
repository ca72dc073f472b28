/** The rules of a kind made of texts: short beside the fields, and in full. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Finding, WorkRules } from "@/api/types";
import { Chip } from "@/ui/Chip";
import { HumanChecks } from "./HumanChecks";

interface RuleChip {
  readonly text: string;
  /** Findings that say that the rule is broken. */
  readonly codes: readonly string[];
}

/** A rule each, ticked when the complete content keeps it. */
export function TextRuleChips({
  chips,
  findings,
  isComplete,
}: {
  chips: readonly RuleChip[];
  findings: readonly Finding[];
  /** Whether every field is filled in and checked. */
  isComplete: boolean;
}) {
  return chips.map(({ text, codes }) => {
    const isKept = isComplete && !findings.some((finding) => codes.includes(finding.code));
    return (
      <Chip key={text} tone={isKept ? "good" : undefined}>
        {isKept && "✓ "}
        {text}
      </Chip>
    );
  });
}

export function TextGuide({
  lines,
  overlap,
  measure,
  override,
  checks,
  short,
  children,
}: {
  /** The rules about one text, a line each. */
  lines: readonly string[];
  /** The rule about texts that are too similar, and the measure of similarity. */
  overlap: string;
  measure: string;
  override: string;
  checks: WorkRules["human_checks"];
  /** Only what people judge, on one line. */
  short: boolean;
  /** More rules, before what people judge. */
  children?: ReactNode;
}) {
  const { t } = useTranslation("kinds");
  if (short) return <HumanChecks checks={checks} short />;
  return (
    <>
      <h3>{t("text.checkedByServer")}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li>
          {overlap} <span className="tiny">{t(`text.measure.${measure}`)}</span>
        </li>
        <li>{override}</li>
      </ul>
      {children}
      <HumanChecks checks={checks} />
    </>
  );
}
