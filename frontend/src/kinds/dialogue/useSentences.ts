/** What the server finds in dialogues, in the reader's language. */
import { useTranslation } from "react-i18next";
import type { Finding } from "@/api/types";

export function useSentences(): (finding: Finding) => { sentence: string } {
  const { t } = useTranslation("kinds");
  return (finding) => {
    const values = finding.params;
    switch (finding.code) {
      case "question_empty":
        return { sentence: t("dialogue.finding.question_empty", values) };
      case "question_reason":
        return { sentence: t("dialogue.finding.question_reason", values) };
      case "answer_empty":
        return { sentence: t("dialogue.finding.answer_empty", values) };
      case "answer_fragment":
        return { sentence: t("dialogue.finding.answer_fragment", values) };
      case "other_script":
        return { sentence: t("text.otherScript", values) };
      case "text_refused":
        return { sentence: t("text.refused", values) };
      default:
        return { sentence: t("text.unknown", { code: finding.code }) };
    }
  };
}
