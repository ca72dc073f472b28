/** The rules by which profiles read replies, in words. */
import { useTranslation } from "react-i18next";

/** Names of rules have characters that keys may not have. */
function keyOf(rule: string): string {
  return rule.toLowerCase().replaceAll(/[^\p{L}\d]+/gu, "_");
}

export function useRule(): (rule: string) => string {
  const { t } = useTranslation("samples");
  return (rule) => (rule === "" ? "" : t(`rule.${keyOf(rule)}`, { defaultValue: rule }));
}
