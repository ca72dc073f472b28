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
  flags = [],
  checks,
  short,
}: {
  /** The rules that the server checks, a line each. */
  lines: readonly ReactNode[];
  /** What it only points out. */
  flags?: readonly string[];
  checks: WorkRules["human_checks"];
  /** Only what people judge, on one line. */
  short: boolean;
}) {
  const { t } = useTranslation("kinds");
  if (short) return <HumanChecks checks={checks} short />;
  return (
    <>
      <h3>{t("text.checkedByServer")}</h3>
      <ul>
        {lines.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
      {flags.length > 0 && (
        <>
          <h3>{t("text.flagged")}</h3>
          <ul>
            {flags.map((flag) => (
              <li key={flag}>{flag}</li>
            ))}
          </ul>
        </>
      )}
      <HumanChecks checks={checks} />
    </>
  );
}

/** The rule about texts that are too similar, and the measure of similarity. */
export function OverlapRule({ text, measure }: { text: string; measure: string }) {
  const { t } = useTranslation("kinds");
  return (
    <>
      {text} <span className="tiny">{t(`text.measure.${measure}`)}</span>
    </>
  );
}
