import type { Category, Localised } from "@/api/types";
import type { Option } from "@/ui/kit/PickOne";

/** Categories under their fields, found by their name in any language. */
export function categoryOptions(categories: readonly Category[], name: (text: Localised) => string): Option[] {
  return categories.map((category) => ({
    value: category.slug,
    label: name(category.name),
    group: name(category.field.name),
    also: `${Object.values(category.name).join(" ")} ${category.slug}`,
  }));
}
