import { useLocalised } from "@/i18n/localised";
import { PickOne } from "./kit/PickOne";

type Localised = Readonly<Record<string, string>>;

interface Category {
  slug: string;
  name: Localised;
  field: { name: Localised };
  /** Pinyin and other strings that find it. */
  search?: readonly string[];
}

/** One category under its field, found by its name in any language or by its pinyin. */
export function CategorySelect({
  categories,
  value,
  onChange,
  ...rest
}: {
  label: string;
  categories: readonly Category[];
  /** The chosen category's slug. */
  value: string | undefined;
  onChange: (slug: string | undefined) => void;
  placeholder?: string;
  hint?: string;
  wrong?: string | undefined;
  testId: string;
}) {
  const name = useLocalised();
  return (
    <PickOne
      {...rest}
      value={value ?? null}
      options={categories.map((category) => ({
        value: category.slug,
        label: name(category.name),
        group: name(category.field.name),
        also: [...Object.values(category.name), category.slug, ...(category.search ?? [])].join(" "),
      }))}
      onChange={(slug) => onChange(slug ?? undefined)}
    />
  );
}
