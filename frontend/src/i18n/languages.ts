/** The interface's languages. zh-Hans is the source; the others are complete (locales.test.ts). */
export const LANGUAGES = ["zh-Hans", "zh-Hant", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language named in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  "zh-Hans": "简体中文",
  "zh-Hant": "繁體中文",
  en: "English",
};

export function isLanguage(value: string): value is Language {
  return (LANGUAGES as readonly string[]).includes(value);
}

/** The interface language for a browser's list of preferred languages. */
export function preferredLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const lower = tag.toLowerCase();
    if (lower.startsWith("en")) return "en";
    if (lower.startsWith("zh")) return /hant|-tw|-hk|-mo/.test(lower) ? "zh-Hant" : "zh-Hans";
  }
  return "zh-Hans";
}
