/** i18next with one chunk of texts per language, fetched when the language is chosen. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { byteSize } from "./format";
import { markValue, spaceValues } from "./spacing";
import { isLanguage, LANGUAGES, preferredLanguage, type Language } from "./languages";

type Texts = Record<string, Record<string, unknown>>;

export type TextLoaders = Readonly<Record<Language, () => Promise<{ default: Texts }>>>;

const ALL_TEXTS: TextLoaders = {
  "zh-Hans": () => import("@/locales/zh-Hans"),
  "zh-Hant": () => import("@/locales/zh-Hant"),
  en: () => import("@/locales/en"),
};

/** Where this page takes its texts from. */
let loaders = ALL_TEXTS;

/** The choice made before signing in; afterwards the person's own language decides. */
const STORED = "lantern.language";

function storedLanguage(): Language | null {
  try {
    const value = localStorage.getItem(STORED);
    return value !== null && isLanguage(value) ? value : null;
  } catch {
    return null;
  }
}

export async function startTexts(
  language: Language = storedLanguage() ?? preferredLanguage(navigator.languages),
  from: TextLoaders = ALL_TEXTS,
): Promise<void> {
  loaders = from;
  await i18next.use(initReactI18next).use({ type: "postProcessor", name: "spacing", process: spaceValues }).init({
    supportedLngs: [...LANGUAGES],
    fallbackLng: false,
    load: "currentOnly",
    ns: [],
    defaultNS: "ui",
    // React escapes what it shows; "escaping" here marks the values for the spacing between them and Chinese text.
    interpolation: { escapeValue: true, escape: markValue, useRawValueToEscape: true },
    postProcess: ["spacing"],
    returnNull: false,
    react: { useSuspense: false },
    saveMissing: true,
    missingKeyHandler: reportMissing,
  });
  // Texts name amounts of data as `{{limit, bytes}}`.
  i18next.services.formatter?.add("bytes", (value: number, of) => byteSize(value, of !== undefined && isLanguage(of) ? of : language));
  await switchLanguage(language);
}

/** A key that a template builds may lack its text, which the type checker cannot see: tests fail on this message. */
function reportMissing(_: readonly string[], namespace: string, key: string, fallback: string): void {
  // A code without a text of its own is shown as it is; keys of texts have a dot.
  if (fallback === key && key.includes(".")) console.error(`no text for ${namespace}:${key}`);
}

/** Switches the interface: texts first, then `lang` on the document, so that nothing is drawn untranslated. */
export async function switchLanguage(language: Language): Promise<void> {
  const { default: texts } = await loaders[language]();
  for (const [namespace, entries] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, entries);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // Private windows may refuse storage; the choice then lasts as long as the page.
  }
}
