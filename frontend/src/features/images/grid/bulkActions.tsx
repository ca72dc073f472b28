/** What is corrected in many pictures at once. */
import { useTranslation } from "react-i18next";
import type { Category } from "@/api/types";
import type { BulkAction } from "@/bulk/actions";
import { useLocalised } from "@/i18n/localised";
import { CategorySelect } from "@/ui/CategorySelect";
import { SelectField } from "@/ui/Field";
import type { PictureRules } from "../protocol";

export function usePictureActions(rules: PictureRules, categories: readonly Category[]): readonly BulkAction[] {
  const { t } = useTranslation("bulk");
  const name = useLocalised();
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return [
    {
      action: "category",
      param: "category",
      field: (value, onChange) => (
        <CategorySelect label={t("category")} categories={categories} value={text(value) || undefined} onChange={onChange} placeholder={t("choose")} testId="bulk-category-field" />
      ),
    },
    {
      action: "licence",
      param: "licence",
      field: (value, onChange) => (
        <SelectField label={t("licence")} value={text(value)} onChange={(event) => onChange(event.target.value)} data-testid="bulk-licence-field">
          <option value="">{t("choose")}</option>
          {rules.licences.map((one) => (
            <option key={one.code} value={one.code}>
              {name(one.name)}
            </option>
          ))}
        </SelectField>
      ),
    },
  ];
}
