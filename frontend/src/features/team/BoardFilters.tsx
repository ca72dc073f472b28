/** Which of a team's pictures the board shows, beside what waits: by category, author, and the reason of a return. */
import { useTranslation } from "react-i18next";
import { reasonsIn, useBenchmark } from "@/api/benchmark";
import type { TeamBoard } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { CategorySelect } from "@/ui/CategorySelect";
import { SelectField } from "@/ui/Field";
import type { Filters } from "@/ui/useFilters";
import styles from "./team.module.css";

interface BoardFiltersProps {
  slug: string;
  kind: string;
  /** Who wrote items of the team, members or not. */
  authors: TeamBoard["authors"];
  filters: Filters;
}

export function BoardFilters({ slug, kind, authors, filters }: BoardFiltersProps) {
  const { t } = useTranslation("team");
  const name = useLocalised();
  const benchmark = useBenchmark(slug).data;
  const categories = benchmark?.categories ?? [];
  const reasons = reasonsIn(benchmark?.protocol.content, "kinds", kind, "review_reasons");
  const isSet = ["category", "author", "reason"].some((one) => filters.get(one) !== undefined);
  return (
    <div className={styles.selects}>
      {categories.length > 0 && (
        <CategorySelect
          label={t("filter.category")}
          categories={categories}
          value={filters.get("category")}
          placeholder={t("filter.anyCategory")}
          onChange={(category) => filters.set({ category })}
          testId="filter-category"
        />
      )}
      {authors.length > 1 && (
        <SelectField
          label={t("filter.author")}
          value={filters.get("author") ?? ""}
          onChange={(event) => filters.set({ author: event.target.value })}
          data-testid="filter-author"
        >
          <option value="">{t("filter.anyone")}</option>
          {authors.map(({ id, name: person }) => (
            <option key={id} value={id}>
              {person}
            </option>
          ))}
        </SelectField>
      )}
      {reasons.length > 0 && (
        <SelectField
          label={t("filter.reason")}
          value={filters.get("reason") ?? ""}
          onChange={(event) => filters.set({ reason: event.target.value })}
          data-testid="filter-reason"
        >
          <option value="">{t("filter.anyReason")}</option>
          {reasons.map((reason) => (
            <option key={reason.code} value={reason.code}>
              {name(reason.name)}
            </option>
          ))}
        </SelectField>
      )}
      {isSet && (
        <Button look="plain" onClick={() => filters.set({ category: undefined, author: undefined, reason: undefined })} data-testid="filter-none">
          {t("filter.none")}
        </Button>
      )}
    </div>
  );
}
