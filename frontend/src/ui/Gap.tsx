import { useInterfaceLanguage } from "@/i18n/localised";

/** Between a sentence and what follows it: a blank, but none after Chinese punctuation, which has its own. */
export function Gap() {
  return useInterfaceLanguage() === "en" ? " " : null;
}
