/** Whom packages are assigned to, or what pictures get. */
import { useBenchmark } from "@/api/benchmark";
import { useLocalised } from "@/i18n/localised";
import type { Bulk } from "./actions";

export function Given({ of, slug }: { of: Pick<Bulk, "action" | "person" | "value">; slug: string }) {
  const name = useLocalised();
  const category = useBenchmark(slug).data?.categories.find((one) => of.action === "category" && one.slug === of.value);
  const value = of.person?.name ?? (category ? name(category.name) : of.value);
  return value === "" ? null : <span data-testid="bulk-given"> {value}</span>;
}
