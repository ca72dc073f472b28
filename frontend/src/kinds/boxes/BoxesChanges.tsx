/** How many boxes differ between two versions, and how. */
import { useTranslation } from "react-i18next";
import type { ChangesProps } from "../kind";
import { boxChanges } from "./boxes";

const HOW = ["moved", "added", "removed", "renamed"] as const;

export function BoxesChanges({ before, after, rules }: ChangesProps) {
  const { t } = useTranslation("kinds");
  const changes = boxChanges(rules, before, after);
  const parts = HOW.filter((how) => changes[how] > 0).map((how) => t(`boxes.changes.${how}`, { count: changes[how] }));
  return <p data-testid="box-changes">{parts.join(" · ")}</p>;
}
