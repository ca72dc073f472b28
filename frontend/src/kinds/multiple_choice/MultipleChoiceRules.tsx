/** The rules of multiple choice in words: short beside the fields, and in full. */
import { useTranslation } from "react-i18next";
import { rulesOf, type GuideProps, type RuleChipsProps } from "../kind";
import { TextGuide, TextRuleChips } from "../text/TextRules";
import { firstEmpty } from "../tree";
import { rowsOf } from "./rows";

export function MultipleChoiceRuleChips({ rules, findings, content, isChecked }: RuleChipsProps) {
  const { t } = useTranslation("kinds");
  const chips = [
    { text: t("multiple_choice.chip.different"), codes: ["option_equal"] },
    { text: t("multiple_choice.chip.hidden"), codes: ["answer_in_question"] },
  ];
  return <TextRuleChips chips={chips} findings={findings} isComplete={isChecked && firstEmpty(rules.content, content) === null} />;
}

export function MultipleChoiceGuide({ rules: ofKind, short = false }: GuideProps) {
  const rules = rulesOf(ofKind, "multiple_choice");
  const { t } = useTranslation("kinds");
  const isTwice = rowsOf(ofKind).some(({ sides }) => sides.length > 1);
  return (
    <TextGuide
      lines={[
        t("multiple_choice.rule.options", { count: rules.options }),
        ...(isTwice ? [t("multiple_choice.rule.both")] : []),
        ...(rules.concept_in_question === "forbidden" ? [t("multiple_choice.rule.concept")] : []),
        ...(rules.explanation ? [t("multiple_choice.rule.explanation")] : []),
        t("multiple_choice.rule.override"),
      ]}
      flags={rules.flags.map((flag) => t(`multiple_choice.flag.${flag}`))}
      checks={rules.human_checks}
      short={short}
    />
  );
}
