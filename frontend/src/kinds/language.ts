/** The rules of an item where each team writes in its own language, which the rules of a whole package cannot name. */
import { useMemo } from "react";
import type { ContentNode, RecordNode, TextLanguage, WorkRules } from "@/api/types";

/** The rules with an item's own language; unchanged where the protocol names one for all. */
export function rulesIn(rules: WorkRules, language: TextLanguage | null | undefined): WorkRules {
  return language ? { ...rules, content: inLanguage(rules.content, language) as RecordNode } : rules;
}

/** As `rulesIn`, the same object while neither changes. */
export function useRulesIn(rules: WorkRules, language: TextLanguage | null | undefined): WorkRules {
  const { lang, dir } = language ?? {};
  return useMemo(() => rulesIn(rules, lang === undefined || dir === undefined ? null : { lang, dir }), [rules, lang, dir]);
}

function inLanguage(node: ContentNode, language: TextLanguage): ContentNode {
  switch (node.type) {
    case "text":
      return node.language === "content" ? { ...node, ...language } : node;
    case "record":
      return { ...node, fields: Object.fromEntries(Object.entries(node.fields).map(([name, field]) => [name, inLanguage(field, language)])) };
    case "list":
      return { ...node, of: inLanguage(node.of, language) };
    case "keyed":
      return { ...node, of: inLanguage(node.of, language) as RecordNode };
    default:
      return node;
  }
}
