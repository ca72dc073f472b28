import { useTranslation } from "react-i18next";
import { Menu } from "./Menu";
import { theme, useThemeChoice, type ThemeChoice } from "./theme";

const CHOICES: readonly ThemeChoice[] = ["system", "light", "dark"];

export function ThemeMenu() {
  const { t } = useTranslation("ui");
  const choice = useThemeChoice();
  return (
    <Menu
      label={t("theme.label")}
      text={<ThemeMark />}
      right
      testId="theme-menu"
      entries={CHOICES.map((one) => ({
        key: one,
        text: t(`theme.${one}`),
        checked: one === choice,
        onChoose: () => theme.choose(one),
        testId: `theme-${one}`,
      }))}
    />
  );
}

/** Half light, half dark. */
function ThemeMark() {
  return (
    <svg viewBox="0 0 16 16" width={14} height={14} aria-hidden="true" style={{ verticalAlign: -2 }}>
      <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.4" />
      <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4Z" fill="currentColor" />
    </svg>
  );
}
