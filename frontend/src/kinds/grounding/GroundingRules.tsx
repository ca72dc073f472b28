/** The rules of grounding in words: short beside the fields, and in full. */
import { useTranslation } from "react-i18next";
import { rulesOf, type GuideProps, type RuleChipsProps } from "../kind";
import { TextGuide, TextRuleChips } from "../text/TextRules";
import { firstEmpty, hasEmptyList } from "../tree";
import { expectedOf } from "./grounding";
import { useObjects } from "./useObjects";

export function GroundingRuleChips({ rules: ofKind, findings, content, isChecked }: RuleChipsProps) {
  const rules = rulesOf(ofKind, "grounding");
  const { t } = useTranslation("kinds");
  const objects = useObjects(ofKind, content);
  const chips = [
    { text: t("grounding.chip.count", { count: expectedOf(ofKind, objects) }), codes: ["expressions_too_few", "expressions_too_many", "object_unknown"] },
    { text: t("grounding.chip.minimum", { count: rules.minimum_characters }), codes: ["expression_too_short"] },
    { text: t("grounding.chip.unique"), codes: ["expressions_equal"] },
  ];
  const isComplete = isChecked && !hasEmptyList(rules.content, content) && firstEmpty(rules.content, content) === null;
  return <TextRuleChips chips={chips} findings={findings} isComplete={isComplete} />;
}

export function GroundingGuide({ rules: ofKind, short = false }: GuideProps) {
  const rules = rulesOf(ofKind, "grounding");
  const { t } = useTranslation("kinds");
  return (
    <TextGuide
      lines={[
        t("grounding.rule.count", { count: rules.expressions_maximum }),
        t("grounding.rule.minimum", { count: rules.minimum_characters }),
        t("grounding.rule.unique"),
        ...(rules.other_script_percent === null ? [] : [t("text.otherScriptRule", { limit: rules.other_script_percent })]),
      ]}
      checks={rules.human_checks}
      short={short}
    />
  );
}
