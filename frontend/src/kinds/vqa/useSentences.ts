/** What the server finds in questions and answers, in the reader's language. */
import { useTranslation } from "react-i18next";
import type { Finding, WorkRules } from "@/api/types";
import type { Content } from "../kind";
import { textAt } from "../tree";

export function useSentences(rules: WorkRules, content: Content): (finding: Finding) => { sentence: string; quoted?: string } {
  const { t } = useTranslation("kinds");
  return (finding) => {
    const { other } = finding.params;
    // Questions are numbered from 1 for people, from 0 by the server.
    const values = { ...finding.params, ...(typeof other === "number" ? { other: other + 1 } : {}) };
    const quoted = textAt(rules.content, content, finding.field)?.value ?? "";
    switch (finding.code) {
      case "question_empty":
        return { sentence: t("vqa.finding.question_empty", values) };
      case "question_too_short":
        return { sentence: t("vqa.finding.question_too_short", values) };
      case "question_mark_missing":
        return { sentence: t("vqa.finding.question_mark_missing", values) };
      case "question_identical":
        return { sentence: t("vqa.finding.question_identical", values) };
      case "question_overlap":
        return { sentence: t("vqa.finding.question_overlap", values), quoted };
      case "answer_empty":
        return { sentence: t("vqa.finding.answer_empty", values) };
      case "answer_too_long":
        return { sentence: t("vqa.finding.answer_too_long", values) };
      case "answer_punctuation":
        return { sentence: t("vqa.finding.answer_punctuation", values) };
      case "answer_sentence":
        return { sentence: t("vqa.finding.answer_sentence", values) };
      case "pronoun":
        return { sentence: t("vqa.finding.pronoun", values) };
      case "low_level":
        return { sentence: t("vqa.finding.low_level", values) };
      case "yes_no":
        return { sentence: t("vqa.finding.yes_no", values) };
      case "answer_in_question":
        return { sentence: t("vqa.finding.answer_in_question", values) };
      case "other_script":
        return { sentence: t("text.otherScript", values) };
      case "text_refused":
        return { sentence: t("text.refused", values) };
      default:
        return { sentence: t("text.unknown", { code: finding.code }) };
    }
  };
}
