/** What the server finds in captions, in the reader's language. */
import { useTranslation } from "react-i18next";
import type { Finding, WorkRules } from "@/api/types";
import type { Content } from "../kind";
import { textAt } from "../tree";

export function useSentences(rules: WorkRules, content: Content): (finding: Finding) => { sentence: string; quoted?: string } {
  const { t } = useTranslation("kinds");
  return (finding) => {
    const { other } = finding.params;
    // Captions are numbered from 1 for people, from 0 by the server.
    const values = { ...finding.params, ...(typeof other === "number" ? { other: other + 1 } : {}) };
    const quoted = textAt(rules.content, content, finding.field)?.value ?? "";
    switch (finding.code) {
      case "caption_empty":
        return { sentence: t("captions.finding.caption_empty", values) };
      case "caption_too_short":
        return { sentence: t("captions.finding.caption_too_short", values) };
      case "caption_overlap":
        return { sentence: t("captions.finding.caption_overlap", values), quoted };
      case "caption_identical":
        return { sentence: t("captions.finding.caption_identical", values) };
      case "caption_likely_name":
        return { sentence: t("captions.finding.caption_likely_name", values) };
      case "other_script":
        return { sentence: t("text.otherScript", values) };
      case "text_refused":
        return { sentence: t("text.refused", values) };
      default:
        return { sentence: t("text.unknown", { code: finding.code }) };
    }
  };
}
