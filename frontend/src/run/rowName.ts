import { useTranslation } from "react-i18next";
import { useMannerWords, type MannerParts } from "./Manner";

export interface NamedRow {
  key: string;
  system: string;
  /** Null for what was submitted. */
  manner: MannerParts | null;
  crew: string;
}

/** A row by name, and what tells it apart from others of that name: how it was asked, else its key. */
export function useRowName(rows: readonly NamedRow[]): (row: NamedRow) => string {
  const { t } = useTranslation("leaderboard");
  const words = useMannerWords();
  const parts = ({ manner, crew }: NamedRow) => (manner === null ? [crew] : words(manner).split(" · ")).filter((part) => part !== "");
  const apart = (row: NamedRow, others: readonly NamedRow[]) => {
    const theirs = others.map(parts);
    return parts(row).filter((part) => !theirs.every((other) => other.includes(part))).join(" · ");
  };
  return (row) => {
    const sameName = rows.filter(({ system }) => system === row.system);
    const besides = (of: NamedRow) => sameName.filter(({ key }) => key !== of.key);
    if (besides(row).length === 0) return row.system;
    const own = apart(row, besides(row));
    const isAlone = besides(row).every((other) => apart(other, besides(other)) !== own);
    const about = own !== "" && isAlone ? own : [own, row.key].filter((part) => part !== "").join(" · ");
    return t("profile.named", { name: row.system, about });
  };
}
