/** What the server finds in a question and its options, in the reader's language. */
import { useTranslation } from "react-i18next";
import type { Finding } from "@/api/types";
import type { FindingText } from "../text/FindingLines";

/** Findings whose sentence is the text of the same name. */
const CODES = [
  "text_missing",
  "side_missing",
  "category_missing",
  "category_unknown",
  "option_equal",
  "question_mark_missing",
  "answer_in_question",
  "negated_options",
  "where_vague",
  "right_longest",
  "other_script",
  "english_in_local",
  "question_twice",
  "concept_in_question",
] as const;

export function useSentences(): (finding: Finding) => FindingText {
  const { t } = useTranslation("kinds");
  return (finding) => {
    const { other } = finding.params;
    const option = other === 0 ? t("multiple_choice.name.right") : t("multiple_choice.name.distractor", { number: other });
    const values = { ...finding.params, ...(typeof other === "number" ? { other: option } : {}) };
    const code = CODES.find((one) => one === finding.code);
    if (code !== undefined) return { sentence: t(`multiple_choice.finding.${code}`, values) };
    if (finding.code === "text_refused") return { sentence: t("text.refused", values) };
    return { sentence: t("text.unknown", { code: finding.code }) };
  };
}
