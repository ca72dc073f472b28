/** The name of a field of a question, with its language where it is written in two. */
import { useTranslation } from "react-i18next";
import type { FieldNameProps } from "../kind";
import { CATEGORY, rowsOf } from "./rows";
import { useRowName } from "./useRowName";

export function MultipleChoiceFieldName({ rules, path }: FieldNameProps) {
  const { t } = useTranslation("kinds");
  const { textName } = useRowName();
  if (path === CATEGORY) return t("multiple_choice.name.category");
  return rowsOf(rules).flatMap((row) => row.sides.filter((side) => side.path === path).map((side) => textName(row, side)));
}
