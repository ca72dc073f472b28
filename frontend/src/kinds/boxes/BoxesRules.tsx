/** The rules of boxes in words: short beside the list, and in full. */
import { useTranslation } from "react-i18next";
import { rulesOf, type GuideProps, type RuleChipsProps } from "../kind";
import { TextGuide, TextRuleChips } from "../text/TextRules";
import { firstEmpty } from "../tree";
import { regionsOf } from "./boxes";

export function BoxesRuleChips({ rules: ofKind, findings, content, isChecked }: RuleChipsProps) {
  const rules = rulesOf(ofKind, "boxes");
  const { t } = useTranslation("kinds");
  const tooFew = findings.find(({ code }) => code === "too_few_of_main");
  const minimum = Number(tooFew?.params.minimum ?? 0);
  const chips = [
    ...(tooFew ? [{ text: t("boxes.chip.main", { count: minimum }), codes: ["too_few_of_main"] }] : []),
    { text: t("boxes.chip.side", { count: rules.side_minimum }), codes: ["tiny", "outside"] },
    { text: t("boxes.chip.duplicate"), codes: ["duplicate"] },
  ];
  const isComplete = isChecked && regionsOf(ofKind, content).length > 0 && firstEmpty(rules.content, content) === null;
  return <TextRuleChips chips={chips} findings={findings} isComplete={isComplete} />;
}

export function BoxesGuide({ rules: ofKind, short = false }: GuideProps) {
  const rules = rulesOf(ofKind, "boxes");
  const { t } = useTranslation("kinds");
  return (
    <TextGuide
      lines={[
        t("boxes.rule.side", { count: rules.side_minimum }),
        t("boxes.rule.duplicate", { limit: rules.duplicate_percent }),
        t("boxes.rule.main"),
        t("boxes.rule.override"),
      ]}
      checks={rules.human_checks}
      short={short}
    />
  );
}
