/** What can be done to the chosen rows of a list, or to all that match its filters. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "@/api/session";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { BulkPanel } from "./BulkPanel";
import { OPERATION_OF, type BulkAction, type Rows } from "./actions";
import styles from "./bulk.module.css";

interface BulkBarProps {
  slug: string;
  ids: readonly number[];
  filters: Rows["filters"];
  /** How many rows match the filters; null where the list does not count them. */
  total: { total: number | null; total_is_capped: boolean } | undefined;
  actions: readonly BulkAction[];
  onClear?: () => void;
  /** Inside a bar that stays at the foot of the page itself. */
  isInline?: boolean;
}

/** The actions that the person may do to many rows. */
export function useBulkActions(slug: string, actions: readonly BulkAction[]): readonly BulkAction[] {
  const may = useMay(slug);
  return may("bulk_prepare") ? actions.filter(({ action }) => may(OPERATION_OF[action])) : [];
}

export function BulkBar({ slug, ids, filters, total, actions, onClear, isInline = false }: BulkBarProps) {
  const { t } = useTranslation("bulk");
  const format = useFormat();
  const [wantsAll, setWantsAll] = useState(false);
  const [open, setOpen] = useState<{ action: BulkAction; rows: Rows } | null>(null);
  const offered = useBulkActions(slug, actions);
  const isAll = wantsAll && ids.length > 0;
  const count = total?.total ?? null;
  const number = count === null ? undefined : format.number(count);
  const place = isInline ? styles.inline : undefined;
  if (open) return <BulkPanel slug={slug} action={open.action} rows={open.rows} className={place} onClose={() => setOpen(null)} />;
  if (offered.length === 0 || ids.length === 0) return null;
  return (
    <div className={[styles.bar, place].join(" ")} role="toolbar" aria-label={t("bar")} data-testid="bulk-bar">
      <span className="number" data-testid="bulk-count">
        {isAll ? (number === undefined ? t("all") : t(total?.total_is_capped === true ? "allCapped" : "allCounted", { number })) : t("chosen", { count: ids.length })}
      </span>
      <Button small look="plain" onClick={() => setWantsAll(!isAll)} data-testid="bulk-all">
        {isAll ? t("onlyChosen") : t("chooseAll")}
      </Button>
      {offered.map((action) => (
        <Button key={action.action} small onClick={() => setOpen({ action, rows: { ids, isAll, filters } })} data-testid={`bulk-${action.action}`}>
          {t(`action.${action.action}.open`)}
        </Button>
      ))}
      {onClear && (
        <Button
          small
          look="plain"
          onClick={() => {
            setWantsAll(false);
            onClear();
          }}
          data-testid="bulk-clear"
        >
          {t("clear")}
        </Button>
      )}
    </div>
  );
}
