/** What boxes are called and how they are drawn: by their category. */
import { useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { WorkRules } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import type { LabelChoice } from "@/picture/regions/labels";
import { COLOURS, type RegionLook } from "@/picture/regions/RegionShape";
import type { Region } from "@/picture/regions/regions";
import { PictureCategoryContext } from "../PictureCategory";
import { categoriesOf, coloursOf } from "./boxes";

interface BoxCategories {
  choices: readonly LabelChoice[];
  /** The code of the picture's main category; null where the page does not know it. */
  main: string | null;
  /** The name of a category, or that there is none yet. */
  nameOfCode: (code: string) => string;
  nameOf: (region: Region) => string;
  lookOf: (region: Region) => RegionLook;
}

/** `regions`: the boxes of the picture, whose categories get different colours. */
export function useCategories(rules: WorkRules, regions: readonly Region[] = []): BoxCategories {
  const { t } = useTranslation("kinds");
  const name = useLocalised();
  const main = useContext(PictureCategoryContext);
  const drawn = [...new Set(regions.map(({ label = "" }) => label))].filter((code) => code !== "").join();
  return useMemo(() => {
    const categories = categoriesOf(rules);
    const colours = coloursOf(drawn.split(","), categories, COLOURS);
    const names = new Map(categories.map((category) => [category.code, name(category.name)]));
    const nameOfCode = (code: string) => (code === "" ? t("boxes.noCategory") : (names.get(code) ?? code));
    return {
      choices: categories.map(({ code, search }) => ({ code, name: nameOfCode(code), search: search, isMain: code === main })),
      main,
      nameOfCode,
      nameOf: ({ label = "" }) => nameOfCode(label),
      lookOf: ({ label = "" }) => (label === "" ? { tone: "bad", isDashed: true } : { colour: colours.get(label) ?? 0 }),
    };
  }, [rules, drawn, main, name, t]);
}
