/** What the server finds in expressions, in the reader's language. */
import { useTranslation } from "react-i18next";
import type { Finding, WorkRules } from "@/api/types";
import type { Region } from "@/picture/regions/regions";
import type { Content } from "../kind";
import type { FindingText } from "../text/FindingLines";
import { textAt } from "../tree";
import { expressionsOf } from "./objects";

/** Findings whose sentence is the text of the same name. */
const CODES = ["expression_empty", "expression_too_short", "expressions_equal", "expressions_too_few", "expressions_too_many", "object_unknown"] as const;

export function useSentences(rules: WorkRules, content: Content, objects: readonly Region[]): (finding: Finding) => FindingText {
  const { t } = useTranslation("kinds");
  return ({ code, field, params }) => {
    const quoted = textAt(rules.content, content, field)?.value ?? "";
    if (code === "other_script") return { sentence: t("text.otherScript", params), quoted };
    if (code === "text_refused") return { sentence: t("text.refused", params), quoted };
    const known = CODES.find((one) => one === code);
    if (known === undefined) return { sentence: t("text.unknown", { code }) };
    const { other } = params;
    // The server counts expressions from 0; people read the number of the object.
    const key = typeof other === "number" ? expressionsOf(rules, content)[other]?.key : undefined;
    const number = objects.findIndex((object) => object.key === key) + 1;
    return { sentence: t(`grounding.finding.${known}`, { ...params, ...(number > 0 ? { number } : {}) }) };
  };
}
