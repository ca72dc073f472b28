/** The name of a language by its BCP 47 tag, in the reader's language. */
import { useTranslation } from "react-i18next";

/**
 * Returns a function from a tag to a name; empty for an empty tag, the tag itself where no name is known.
 *
 * Browsers leave out the names of some languages in which teams write; `ui:languageName` has those.
 */
export function useLanguageName(): (tag: string) => string {
  const { t, i18n } = useTranslation("ui");
  const names = new Intl.DisplayNames([i18n.language], { type: "language", fallback: "none" });
  return (tag) => {
    try {
      if (tag === "") return "";
      const [language = tag] = tag.split("-");
      return names.of(tag) ?? t(`languageName.${language}`, { defaultValue: tag });
    } catch {
      return tag; // not a well-formed tag
    }
  };
}
