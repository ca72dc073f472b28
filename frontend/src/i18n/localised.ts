/** Names that the server keeps in all three languages. */
import { useTranslation } from "react-i18next";
import { isLanguage, LANGUAGES, type Language } from "./languages";

export type Localised = Readonly<Record<Language, string>>;

export function useInterfaceLanguage(): Language {
  const { i18n } = useTranslation();
  return isLanguage(i18n.language) ? i18n.language : "zh-Hans";
}

/** The name in the reader's language, else in the first language that has one. */
function localised(name: Partial<Localised> | null | undefined, language: Language): string {
  if (!name) return "";
  for (const candidate of [language, ...LANGUAGES]) {
    const text = name[candidate];
    if (text !== undefined && text !== "") return text;
  }
  return "";
}

export function useLocalised(): (name: Partial<Localised> | null | undefined) => string {
  const language = useInterfaceLanguage();
  return (name) => localised(name, language);
}

/** The text in the reader's language, or in the first that has one, and which language that is. */
export function writtenIn(texts: Partial<Localised>, language: Language): { text: string; language: Language } {
  const available = [language, ...LANGUAGES].find((candidate) => (texts[candidate] ?? "") !== "") ?? language;
  return { text: texts[available] ?? "", language: available };
}
