/** The name of a question or an answer, with its pair's number. */
import { useTranslation } from "react-i18next";
import type { FieldNameProps } from "../kind";
import { pairsOf } from "./pairs";

export function VqaFieldName({ rules, path }: FieldNameProps) {
  const { t } = useTranslation("kinds");
  return pairsOf(rules).flatMap((fields, index) =>
    fields.filter((field) => field.path === path).map(({ name }) => t(`vqa.label.${name}`, { number: index + 1 })),
  );
}
