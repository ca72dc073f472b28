/** Accepted pictures of each category against the protocol's quota; each number links to its pictures. */
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import type { Category, Image, ImageCounts } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { QuotaList } from "@/ui/QuotaList";
import type { Decision } from "./judgementQueue";
import { pendingChanges } from "./pendingChanges";
import styles from "./grid.module.css";

interface Props {
  counts: ImageCounts;
  categories: readonly Category[];
  /** Judgements that are not in the counts yet. */
  decisions: ReadonlyMap<number, Decision>;
  hrefOf: (category: string) => string;
}

export function Quota({ counts, categories, decisions, hrefOf }: Props) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const browse = `/b/${useSlug()}/pictures`;
  const pending = pendingChanges(decisions);
  const rows = counts.by_category;
  const accepted = (slug: string, base: number) => base + (pending.get(slug) ?? 0);
  const reached = rows.filter((row) => row.minimum !== null && accepted(row.slug, row.accepted) >= row.minimum).length;
  const withQuota = rows.filter((row) => row.minimum !== null).length;
  const nameOf = (slug: string) => name(categories.find((one) => one.slug === slug)?.name) || slug;
  return (
    <details className={styles.quota} data-testid="quota">
      <summary>
        {t("quota.title")} {withQuota > 0 && <span className="dim number">{t("quota.reached", { reached, total: withQuota })}</span>}
      </summary>
      <QuotaList
        label={t("quota.title")}
        rows={rows.map((row) => ({ ...row, name: nameOf(row.slug), accepted: accepted(row.slug, row.accepted), to: hrefOf(row.slug), parts: partsOf(row, browse) }))}
      />
    </details>
  );
}

/** The subsets of a category that have a quota of their own. */
function partsOf({ slug, subsets }: ImageCounts["by_category"][number], browse: string) {
  return subsets.map(({ subset, ...part }) => ({ ...part, code: subset, to: `${browse}?category=${encodeURIComponent(slug)}&subset=${subset}` }));
}

/** How far the category of the picture under the cursor is. */
export function QuotaOf({ counts, decisions, image }: { counts: ImageCounts; decisions: ReadonlyMap<number, Decision>; image: Image }) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const format = useFormat();
  const row = counts.by_category.find((one) => one.slug === image.category?.slug);
  if (!row || !image.category) return null;
  const now = row.accepted + (pendingChanges(decisions).get(row.slug) ?? 0);
  const goal = row.target ?? row.minimum;
  return (
    <span className="quota-of number" data-testid="quota-of">
      {name(image.category.name)} {goal === null ? t("quota.accepted", { count: now }) : t("quota.of", { now: format.number(now), goal: format.number(goal) })}
    </span>
  );
}
