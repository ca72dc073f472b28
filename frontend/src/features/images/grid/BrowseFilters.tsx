/** The filters of the pictures: verdict, subset, flags, privacy and category, with counts. */
import { useTranslation } from "react-i18next";
import type { Axis, Category, ImageCounts } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { CategorySelect } from "@/ui/CategorySelect";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { SelectField } from "@/ui/Field";
import { SearchField } from "@/ui/SearchField";
import type { Filters } from "@/ui/useFilters";
import { AxisSelects } from "../AxisSelects";
import { chosenIn, chosenText } from "../axes";
import type { PictureRules } from "../protocol";
import { STATES } from "../states";
import styles from "./grid.module.css";

export const FLAGS = ["near_duplicate", "blurred"] as const;
export const CLEAR = ["yes", "no"] as const;
export const SORTS = ["-number", "number"] as const;

type State = (typeof STATES)[number];

export function BrowseFilters({
  filters,
  rules,
  categories,
  axes,
  counts,
}: {
  filters: Filters;
  rules: PictureRules;
  categories: readonly Category[];
  axes: readonly Axis[];
  counts: ImageCounts | undefined;
}) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const format = useFormat();
  const number = (value: number | undefined) => (value === undefined ? "" : format.number(value));
  return (
    <div className={styles.gridFilters}>
      <StateFilter filters={filters} counts={counts} />
      <div className={styles.gridSelects}>
        <SearchField label={t("search.label")} placeholder={t("search.hint")} value={filters.get("search")} onSearch={(search) => filters.set({ search }, { replace: true })} />
        {rules.subsets.length > 0 && (
          <SelectField
            label={t("field.subset")}
            value={filters.oneOf("subset", rules.subsets.map(({ code }) => code)) ?? ""}
            onChange={(event) => filters.set({ subset: event.target.value })}
            data-testid="subset-filter"
          >
            <option value="">{t("anySubset")}</option>
            {rules.subsets.map((one) => (
              <option key={one.code} value={one.code}>
                {name(one.name)} {number(counts?.by_subset.find((row) => row.subset === one.code)?.accepted)}
              </option>
            ))}
          </SelectField>
        )}
        <AxisSelects
          axes={axes}
          valueOf={(code) => chosenIn(filters.get("axes"))[code]}
          emptyOf={(code) => t("anyValueOf", { name: name(axes.find((axis) => axis.code === code)?.name) })}
          onChange={(code, value) => filters.set({ axes: chosenText({ ...chosenIn(filters.get("axes")), [code]: value }) })}
          testId="axis-filter"
        />
        <SelectField label={t("field.flag")} value={filters.oneOf("flag", FLAGS) ?? ""} onChange={(event) => filters.set({ flag: event.target.value })} data-testid="flag-filter">
          <option value="">{t("anyFlag")}</option>
          {FLAGS.map((flag) => (
            <option key={flag} value={flag}>
              {t(`flag.${flag}`)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t("field.clear")} value={filters.oneOf("clear", CLEAR) ?? ""} onChange={(event) => filters.set({ clear: event.target.value })} data-testid="clear-filter">
          <option value="">{t("anyClear")}</option>
          <option value="yes">
            {t("clearShort")} {number(counts?.clear)}
          </option>
          <option value="no">{t("notClear")}</option>
        </SelectField>
        <SelectField label={t("sort.label")} value={filters.oneOf("sort", SORTS) ?? "-number"} onChange={(event) => filters.set({ sort: event.target.value })} data-testid="sort">
          <option value="-number">{t("sort.newest")}</option>
          <option value="number">{t("sort.oldest")}</option>
        </SelectField>
        <div className={styles.gridCategory}>
          <CategorySelect
            label={t("field.category")}
            value={filters.get("category")}
            categories={categories}
            onChange={(category) => filters.set({ category })}
            placeholder={t("allCategories")}
            testId="category-filter"
          />
        </div>
      </div>
    </div>
  );
}

function StateFilter({ filters, counts }: { filters: Filters; counts: ImageCounts | undefined }) {
  const { t } = useTranslation("images");
  const state = filters.oneOf("state", STATES);
  const states = STATES.filter((one) => one !== "withdrawn" || one === state || (counts?.withdrawn ?? 0) > 0);
  return (
    <ChoiceChips<State | undefined>
      label={t("filter")}
      value={state}
      onChoose={(one) => filters.set({ state: one })}
      choices={[
        { value: undefined, text: t("all"), count: counts && counts.received + counts.accepted + counts.refused + counts.withdrawn, testId: "filter-all" },
        ...states.map((one) => ({ value: one, text: t(`ui:imageState.${one}`), count: counts?.[one], testId: `filter-${one}` })),
      ]}
    />
  );
}
