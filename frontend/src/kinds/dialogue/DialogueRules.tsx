/** The rules of dialogues in words: short beside the fields, and in full. */
import { useTranslation } from "react-i18next";
import { rulesOf, type GuideProps, type RuleChipsProps } from "../kind";
import { TextGuide, TextRuleChips } from "../text/TextRules";
import { firstEmpty } from "../tree";

export function DialogueRuleChips({ rules, findings, content, isChecked }: RuleChipsProps) {
  const { t } = useTranslation("kinds");
  const chips = [
    { text: t("dialogue.chip.sentences"), codes: ["answer_fragment"] },
    { text: t("dialogue.chip.objects"), codes: ["question_reason"] },
  ];
  return <TextRuleChips chips={chips} findings={findings} isComplete={isChecked && firstEmpty(rules.content, content) === null} />;
}

export function DialogueGuide({ rules: ofKind, short = false }: GuideProps) {
  const rules = rulesOf(ofKind, "dialogue");
  const { t } = useTranslation("kinds");
  return (
    <TextGuide
      lines={[
        t("dialogue.rule.count", { count: rules.rounds }),
        t("dialogue.rule.blind"),
        t("dialogue.rule.questions"),
        t("dialogue.rule.answers"),
        ...(rules.other_script_percent === null ? [] : [t("text.otherScriptRule", { limit: rules.other_script_percent })]),
      ]}
      checks={rules.human_checks}
      short={short}
    />
  );
}
