/** The rules of questions and answers in words: short beside the fields, and in full. */
import { useTranslation } from "react-i18next";
import { Chip } from "@/ui/Chip";
import type { GuideProps, RuleChipsProps } from "../kind";
import { Judged } from "../text/Judged";
import { firstEmptyField, rulesOf } from "./content";

export function VqaRuleChips({ rules: ofKind, findings, content, isChecked }: RuleChipsProps) {
  const rules = rulesOf(ofKind);
  const { t } = useTranslation("kinds");
  const isComplete = isChecked && firstEmptyField(content) === null;
  const keeps = (...codes: string[]) => isComplete && !findings.some((finding) => codes.includes(finding.code));
  const chips = [
    [keeps("answer_too_long", "answer_punctuation", "answer_sentence"), "maximum"],
    [keeps("question_overlap", "question_identical"), "overlap"],
  ] as const;
  const values = { count: rules.answer_maximum_characters, limit: rules.overlap.limit_percent };
  return chips.map(([isKept, name]) => (
    <Chip key={name} tone={isKept ? "good" : undefined}>
      {isKept && "✓ "}
      {t(`vqa.chip.${name}`, values)}
    </Chip>
  ));
}

export function VqaGuide({ rules: ofKind, short = false }: GuideProps) {
  const rules = rulesOf(ofKind);
  const { t } = useTranslation("kinds");
  if (short) return <Judged checks={rules.human_checks} short />;
  return (
    <>
      <h3>{t("text.checkedByServer")}</h3>
      <ul>
        <li>{t("vqa.rule.slots", { count: rules.slots, minimum: rules.question_minimum_characters })}</li>
        <li>{t("vqa.rule.phrase", { count: rules.answer_maximum_characters })}</li>
        <li>
          {t("vqa.rule.overlap", { limit: rules.overlap.limit_percent })}{" "}
          <span className="tiny">{t(`text.measure.${rules.overlap.measure}`)}</span>
        </li>
        <li>{t("vqa.rule.override")}</li>
      </ul>
      {rules.flags.length > 0 && (
        <>
          <h3>{t("vqa.flagged")}</h3>
          <ul>
            {rules.flags.map((flag) => (
              <li key={flag}>{t(`vqa.flag.${flag}`)}</li>
            ))}
          </ul>
        </>
      )}
      <Judged checks={rules.human_checks} />
    </>
  );
}
