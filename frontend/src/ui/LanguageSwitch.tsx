import { useTranslation } from "react-i18next";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "@/i18n/languages";
import { useInterfaceLanguage } from "@/i18n/localised";
import { switchLanguage } from "@/i18n/setup";
import { Menu } from "./Menu";

/** Switches at once; `onChoose` may keep the choice. */
export function LanguageSwitch({ onChoose }: { onChoose?: (language: Language) => void }) {
  const { t } = useTranslation("ui");
  const current = useInterfaceLanguage();
  return (
    <Menu
      label={t("language")}
      text={<span lang={current}>{LANGUAGE_NAMES[current]}</span>}
      right
      testId="language-menu"
      entries={LANGUAGES.map((language) => ({
        key: language,
        text: LANGUAGE_NAMES[language],
        lang: language,
        checked: language === current,
        onChoose: () => {
          void switchLanguage(language);
          onChoose?.(language);
        },
        testId: `language-${language}`,
      }))}
    />
  );
}
