/** The name of an object, or of its expression or place, by its number on the picture. */
import { useTranslation } from "react-i18next";
import type { FieldNameProps } from "../kind";
import { keyOf } from "./grounding";
import { useObjects } from "./useObjects";

export function GroundingFieldName({ rules, path, content = {} }: FieldNameProps) {
  const { t } = useTranslation("kinds");
  const objects = useObjects(rules, content);
  const number = objects.findIndex(({ key }) => key === keyOf(path)) + 1;
  const object = number > 0 ? t("grounding.field.number", { number }) : t("grounding.object");
  const field = path.split(".")[2];
  if (field === "text") return t("grounding.field.text", { object });
  return field === "box" ? t("grounding.field.place", { object }) : object;
}
