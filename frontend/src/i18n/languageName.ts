/** The name of a language by its BCP 47 tag, in the reader's language. */
import { useTranslation } from "react-i18next";

/** Returns a function from a tag to a name; empty for an empty tag, the tag itself where no name is known. */
export function useLanguageName(): (tag: string) => string {
  const { i18n } = useTranslation();
  const names = new Intl.DisplayNames([i18n.language], { type: "language" });
  return (tag) => {
    try {
      return tag === "" ? "" : (names.of(tag) ?? tag);
    } catch {
      return tag; // not a well-formed tag
    }
  };
}
