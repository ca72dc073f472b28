/** The rules of captions in words: short beside the fields, and in full. */
import { useTranslation } from "react-i18next";
import { rulesOf, type GuideProps, type RuleChipsProps } from "../kind";
import { OverlapRule, TextGuide, TextRuleChips } from "../text/TextRules";
import { entryCount, firstEmpty } from "../tree";

export function CaptionsRuleChips({ rules: ofKind, findings, content, isChecked }: RuleChipsProps) {
  const rules = rulesOf(ofKind, "captions");
  const { t } = useTranslation("kinds");
  const chips = [
    { text: t("captions.chip.minimum", { count: rules.minimum_characters }), codes: ["caption_too_short"] },
    { text: t("captions.chip.overlap", { limit: rules.overlap.limit_percent }), codes: ["caption_overlap"] },
  ];
  return <TextRuleChips chips={chips} findings={findings} isComplete={isChecked && firstEmpty(rules.content, content) === null} />;
}

export function CaptionsGuide({ rules: ofKind, short = false }: GuideProps) {
  const rules = rulesOf(ofKind, "captions");
  const { t } = useTranslation("kinds");
  return (
    <TextGuide
      lines={[
        t("captions.rule.count", { count: entryCount(rules.content) ?? 1 }),
        t("captions.rule.minimum", { count: rules.minimum_characters }),
        <OverlapRule key="overlap" text={t("captions.rule.overlap", { limit: rules.overlap.limit_percent })} measure={rules.overlap.measure} />,
        t("captions.rule.override"),
        ...(rules.other_script_percent === null ? [] : [t("text.otherScriptRule", { limit: rules.other_script_percent })]),
      ]}
      checks={rules.human_checks}
      short={short}
    />
  );
}
