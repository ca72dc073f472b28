/** The name of a sentence: its number. */
import { useTranslation } from "react-i18next";
import type { FieldNameProps } from "../kind";
import { leaves } from "../tree";

export function CaptionsFieldName({ rules, path }: FieldNameProps) {
  const { t } = useTranslation("kinds");
  return t("captions.label", { number: leaves(rules.content, undefined).findIndex((leaf) => leaf.path === path) + 1 });
}
