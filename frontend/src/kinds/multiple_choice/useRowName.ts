/** The name of a row, and of a text in it where each language is meant by itself. */
import { useTranslation } from "react-i18next";
import { useLanguageName } from "@/i18n/languageName";
import type { Row, Side } from "./rows";

export function useRowName() {
  const { t } = useTranslation("kinds");
  const languageName = useLanguageName();
  const rowName = ({ name, number }: Row) => t(`multiple_choice.name.${name}`, { number });
  const sideName = ({ node }: Side) => languageName(node.lang) || t(`multiple_choice.side.${node.language}`);
  const textName = (row: Row, side: Side) =>
    row.sides.length > 1 ? t("multiple_choice.label", { name: rowName(row), language: sideName(side) }) : rowName(row);
  return { rowName, sideName, textName };
}
