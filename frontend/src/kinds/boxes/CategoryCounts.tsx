/** How many boxes each category has on this picture, the main one first. */
import { useTranslation } from "react-i18next";
import type { WorkRules } from "@/api/types";
import type { Region } from "@/picture/regions/regions";
import { Chip } from "@/ui/Chip";
import { countsOf } from "./boxes";
import { useCategories } from "./useCategories";

interface CategoryCountsProps {
  regions: readonly Region[];
  rules: WorkRules;
  main: string | null;
}

export function CategoryCounts({ regions, rules, main }: CategoryCountsProps) {
  const { t } = useTranslation("kinds");
  const { nameOfCode } = useCategories(rules);
  const counts = countsOf(regions, main);
  if (counts.length === 0) return null;
  return (
    <div className="chips" data-testid="box-counts">
      {counts.map(({ code, count }) => (
        <Chip key={code} tone={code === "" ? "warn" : undefined}>
          {t(code === main ? "boxes.countMain" : "boxes.countOf", { name: nameOfCode(code), number: count })}
        </Chip>
      ))}
    </div>
  );
}
