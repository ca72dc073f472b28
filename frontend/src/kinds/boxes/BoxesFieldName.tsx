/** The name of a box, or of its category or place, where versions are compared. */
import { useTranslation } from "react-i18next";
import type { FieldNameProps } from "../kind";
import { fieldOf, keyOf, regionsOf } from "./boxes";

export function BoxesFieldName({ rules, path, content }: FieldNameProps) {
  const { t } = useTranslation("kinds");
  const at = content ? regionsOf(rules, content).findIndex(({ key }) => key === keyOf(path)) : -1;
  const box = at === -1 ? t("boxes.field.any") : t("boxes.field.number", { number: at + 1 });
  const field = fieldOf(path);
  if (field === "category") return t("boxes.field.category", { box });
  return field === "box" ? t("boxes.field.place", { box }) : box;
}
