/** The head of a judged item: what it is, its verdict with reasons and comment, and how far the verdict has been sent. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Entry } from "@/api/sendQueue";
import type { WorkRules } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { languageOf } from "@/kinds/tree";
import { Chip, type Tone } from "@/ui/Chip";
import { Notice } from "@/ui/Notice";
import { useErrorText } from "@/ui/Problem";
import styles from "./quality.module.css";

interface Why {
  readonly reasons: readonly string[];
  readonly comment: string;
}

interface VerdictHeadProps {
  /** The item's label, for tests. */
  label: string;
  /** The verdict that is not sent yet, or was refused. */
  entry: Entry<Why> | undefined;
  /** The verdict on the server. */
  given: Why | null | undefined;
  /** The outcome that counts, sent or not. */
  decision: string | null;
  tone: Tone | undefined;
  rules: WorkRules;
  note: ReactNode;
  chips?: ReactNode;
}

export function VerdictHead({ label, entry, given, decision, tone, rules, note, chips }: VerdictHeadProps) {
  const { t } = useTranslation("quality");
  const name = useLocalised();
  const errorText = useErrorText();
  const { reasons, comment } = entry?.work ?? given ?? { reasons: [], comment: "" };
  return (
    <div className={styles.judgeHead}>
      <span className="tiny">{note}</span>
      <span className="chips">
        {chips}
        {entry?.state === "pending" && <Chip>{t("held")}</Chip>}
        {entry?.state === "waiting" && <Chip tone="warn">{t("waiting")}</Chip>}
        {decision !== null && (
          <Chip tone={tone}>
            <span data-testid={`outcome-${label}`} data-outcome={decision}>
              {t(`outcome.${decision}`)}
            </span>
          </Chip>
        )}
      </span>
      {entry?.state === "refused" && entry.error && <Notice tone="bad">{errorText(entry.error)}</Notice>}
      {(reasons.length > 0 || comment !== "") && (
        <p className={styles.judgeWhy}>
          {reasons
            .map((code) => name(rules.review_reasons.find((reason) => reason.code === code)?.name) || code)
            .join(" · ")}{" "}
          {comment !== "" && <q lang={languageOf(rules.content)}>{comment}</q>}
        </p>
      )}
    </div>
  );
}
