/** What the server finds in boxes, in the reader's language. */
import { useTranslation } from "react-i18next";
import type { Finding, WorkRules } from "@/api/types";
import type { FindingText } from "../text/FindingLines";
import { useCategories } from "./useCategories";

/** Findings whose sentence is the text of the same name. */
const CODES = [
  "nothing_drawn",
  "box_missing",
  "category_missing",
  "category_unknown",
  "tiny",
  "outside",
  "duplicate",
  "too_few_of_main",
  "too_many",
] as const;

export function useSentences(rules: WorkRules): (finding: Finding) => FindingText {
  const { t } = useTranslation("kinds");
  const { nameOfCode } = useCategories(rules);
  return ({ code, params }) => {
    const known = CODES.find((one) => one === code);
    if (known === undefined) return { sentence: t("text.unknown", { code }) };
    const { other, category } = params;
    const values = {
      ...params,
      ...(typeof other === "number" ? { position: other + 1 } : {}),
      ...(typeof category === "string" ? { name: nameOfCode(category) } : {}),
    };
    return { sentence: t(`boxes.finding.${known}`, values) };
  };
}
