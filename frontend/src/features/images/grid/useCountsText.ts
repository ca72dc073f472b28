/** A picture's object counts as a sentence. */
import { useTranslation } from "react-i18next";
import type { ImageObjects } from "@/api/types";

export function useCountsText(): (objects: ImageObjects) => string {
  const { t } = useTranslation("images");
  return ({ all, listed, main, categories }) => {
    const line = t("counts.line", { all, listed, main: main ?? "–" });
    return categories === null ? line : `${line} · ${t("counts.categoryCount", { count: categories })}`;
  };
}
