/** The place and the size of a box as numbers. */
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import type { LeafProps } from "./kind";

export function BoxLeaf({ leaf }: LeafProps) {
  const { t } = useTranslation("kinds");
  const format = useFormat();
  const [x, y, width, height] = (leaf.value as readonly number[]).map((value) => format.number(value, 2));
  if (height === undefined) return t("part.empty");
  return t("boxes.place", { x, y, width, height });
}
