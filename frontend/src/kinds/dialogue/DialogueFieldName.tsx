/** The name of a question or an answer, with its round's number. */
import { useTranslation } from "react-i18next";
import type { FieldNameProps } from "../kind";
import { roundsOf } from "./rounds";

export function DialogueFieldName({ rules, path }: FieldNameProps) {
  const { t } = useTranslation("kinds");
  return roundsOf(rules).flatMap((fields, index) =>
    fields.filter((field) => field.path === path).map(({ name }) => t(`dialogue.label.${name}`, { number: index + 1 })),
  );
}
