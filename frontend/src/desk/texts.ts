/** The desk's share of the texts, one chunk per language. */
import type { TextLoaders } from "@/i18n/setup";

export const DESK_TEXTS: TextLoaders = {
  "zh-Hans": () => import("@/locales/desk/zh-Hans"),
  "zh-Hant": () => import("@/locales/desk/zh-Hant"),
  en: () => import("@/locales/desk/en"),
};
