/** Accepted pictures of each category against the protocol's quota; each number links to its pictures. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Category, Image, ImageCounts } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Meter } from "@/ui/Meter";
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
  const format = useFormat();
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
      <ul>
        {rows.map((row) => {
          const now = accepted(row.slug, row.accepted);
          const goal = row.target ?? row.minimum;
          return (
            <li key={row.slug} className={styles.quotaRow} data-testid={`quota-${row.slug}`}>
              <Link to={hrefOf(row.slug)}>{nameOf(row.slug)}</Link>
              <span className="number">
                {format.number(now)}
                {goal !== null && <span className="faint"> / {format.number(goal)}</span>}
              </span>
              {goal !== null && <Meter value={now} of={goal} label={nameOf(row.slug)} />}
              {row.minimum !== null && now < row.minimum && <span className="tiny">{t("quota.missing", { count: row.minimum - now })}</span>}
            </li>
          );
        })}
      </ul>
    </details>
  );
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
