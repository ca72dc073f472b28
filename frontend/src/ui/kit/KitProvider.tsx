/**
 * Ant Design under our tokens and the reader's language. Each part of the kit wraps itself in it, so that a page
 * without one pulls nothing of the kit.
 */
import { ConfigProvider, theme as kitThemes, type ThemeConfig } from "antd";
import en from "antd/locale/en_US";
import zhHans from "antd/locale/zh_CN";
import zhHant from "antd/locale/zh_TW";
import type { ReactNode } from "react";
import { useInterfaceLanguage } from "@/i18n/localised";
import { useTheme } from "../theme";
import { KIT_COLOURS } from "./colours";

const LOCALES = { "zh-Hans": zhHans, "zh-Hant": zhHant, en };

export function KitProvider({ children }: { children: ReactNode }) {
  const theme = useTheme();
  const language = useInterfaceLanguage();
  const colours = KIT_COLOURS[theme];
  const config: ThemeConfig = {
    algorithm: theme === "dark" ? kitThemes.darkAlgorithm : kitThemes.defaultAlgorithm,
    token: {
      fontSize: 14,
      controlHeight: 34,
      borderRadius: 6,
      fontFamily: "inherit",
      colorPrimary: colours.accent,
      colorInfo: colours.accent,
      colorLink: colours.accent,
      colorText: colours.ink,
      colorTextSecondary: colours.ink2,
      colorTextTertiary: colours.ink3,
      colorTextPlaceholder: colours.ink3,
      colorBorder: colours.line2,
      colorBorderSecondary: colours.line,
      colorBgBase: colours.paper,
      colorBgContainer: colours.paper,
      colorBgElevated: colours.paper,
      colorBgLayout: colours.ground,
    },
  };
  return (
    <ConfigProvider theme={config} locale={LOCALES[language]}>
      {children}
    </ConfigProvider>
  );
}
