import { useTranslation } from "react-i18next";
import { Menu, MenuItem } from "./Menu";
import { chooseTheme, useThemeChoice, type ThemeChoice } from "./theme";

const CHOICES: readonly ThemeChoice[] = ["system", "light", "dark"];

export function ThemeMenu() {
  const { t } = useTranslation("ui");
  const choice = useThemeChoice();
  return (
    <Menu label={t("theme.label")} text={t(`theme.${choice}`)} right testId="theme-menu">
      {(close) =>
        CHOICES.map((one) => (
          <MenuItem
            key={one}
            checked={one === choice}
            testId={`theme-${one}`}
            onChoose={() => {
              close();
              chooseTheme(one);
            }}
          >
            {t(`theme.${one}`)}
          </MenuItem>
        ))
      }
    </Menu>
  );
}
