/** The rules of questions and answers in words: short beside the fields, and in full. */
import { useTranslation } from "react-i18next";
import { rulesOf, type GuideProps, type RuleChipsProps } from "../kind";
import { OverlapRule, TextGuide, TextRuleChips } from "../text/TextRules";
import { entryCount, firstEmpty } from "../tree";

export function VqaRuleChips({ rules: ofKind, findings, content, isChecked }: RuleChipsProps) {
  const rules = rulesOf(ofKind, "vqa");
  const { t } = useTranslation("kinds");
  const chips = [
    {
      text: t("vqa.chip.maximum", { count: rules.answer_maximum_characters }),
      codes: ["answer_too_long", "answer_punctuation", "answer_sentence"],
    },
    { text: t("vqa.chip.overlap", { limit: rules.overlap.limit_percent }), codes: ["question_overlap", "question_identical"] },
  ];
  return <TextRuleChips chips={chips} findings={findings} isComplete={isChecked && firstEmpty(rules.content, content) === null} />;
}

export function VqaGuide({ rules: ofKind, short = false }: GuideProps) {
  const rules = rulesOf(ofKind, "vqa");
  const { t } = useTranslation("kinds");
  return (
    <TextGuide
      lines={[
        t("vqa.rule.count", { count: entryCount(rules.content) ?? 1, minimum: rules.question_minimum_characters }),
        t("vqa.rule.phrase", { count: rules.answer_maximum_characters }),
        <OverlapRule key="overlap" text={t("vqa.rule.overlap", { limit: rules.overlap.limit_percent })} measure={rules.overlap.measure} />,
        t("vqa.rule.override"),
        ...(rules.other_script_percent === null ? [] : [t("text.otherScriptRule", { limit: rules.other_script_percent })]),
      ]}
      flags={rules.flags.map((flag) => t(`vqa.flag.${flag}`))}
      checks={rules.human_checks}
      short={short}
    />
  );
}
