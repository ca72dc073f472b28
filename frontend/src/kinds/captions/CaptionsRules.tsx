/** The rules of captions in words: short beside the fields, and in full. */
import { useTranslation } from "react-i18next";
import { Chip } from "@/ui/Chip";
import type { GuideProps, RuleChipsProps } from "../kind";
import { Judged } from "../text/Judged";
import { firstEmptySlot, rulesOf } from "./content";

export function CaptionsRuleChips({ rules: ofKind, findings, content, isChecked }: RuleChipsProps) {
  const rules = rulesOf(ofKind);
  const { t } = useTranslation("kinds");
  const isComplete = isChecked && firstEmptySlot(content) === null;
  const keeps = (code: string) => isComplete && !findings.some((finding) => finding.code === code);
  return (
    <>
      <Chip tone={keeps("caption_too_short") ? "good" : undefined}>
        {keeps("caption_too_short") && "✓ "}
        {t("captions.chip.minimum", { count: rules.minimum_characters })}
      </Chip>
      <Chip tone={keeps("caption_overlap") ? "good" : undefined}>
        {keeps("caption_overlap") && "✓ "}
        {t("captions.chip.overlap", { limit: rules.overlap.limit_percent })}
      </Chip>
    </>
  );
}

export function CaptionsGuide({ rules: ofKind, short = false }: GuideProps) {
  const rules = rulesOf(ofKind);
  const { t } = useTranslation("kinds");
  if (short) return <Judged checks={rules.human_checks} short />;
  return (
    <>
      <h3>{t("text.checkedByServer")}</h3>
      <ul>
        <li>{t("captions.rule.slots", { count: rules.slots })}</li>
        <li>{t("captions.rule.minimum", { count: rules.minimum_characters })}</li>
        <li>
          {t("captions.rule.overlap", { limit: rules.overlap.limit_percent })}{" "}
          <span className="tiny">{t(`text.measure.${rules.overlap.measure}`)}</span>
        </li>
        <li>{t("captions.rule.override")}</li>
      </ul>
      <Judged checks={rules.human_checks} />
    </>
  );
}
