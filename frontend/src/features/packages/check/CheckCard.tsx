/** One item of the sheet: its picture, what was written, and the tick that says it was read again. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { WorkItem, WorkRules } from "@/api/types";
import { useSelectedCard } from "@/item/useSheet";
import type { KindView } from "@/kinds/kind";
import { ItemImageMarks } from "@/kinds/Marks";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import styles from "../packages.module.css";

interface CheckCardProps {
  item: WorkItem;
  view: KindView;
  rules: WorkRules;
  selected: boolean;
  ticked: boolean;
  canTick: boolean;
  edit: string;
  onSelect: () => void;
  onTick: () => void;
  onLook: () => void;
  children: ReactNode;
}

export function CheckCard(props: CheckCardProps) {
  const { item, view, rules, selected, ticked, canTick, edit, onSelect, onTick, onLook, children } = props;
  const { t } = useTranslation("packages");
  const card = useSelectedCard(selected);
  return (
    <li
      ref={card}
      className={selected ? `${styles.sheetCard} ${styles.isSelected}` : styles.sheetCard}
      aria-current={selected}
      onClick={onSelect}
      data-testid={`check-${item.label}`}
    >
      <button
        type="button"
        className={styles.sheetPicture}
        onClick={onLook}
        aria-label={t("fullSize", { label: item.image.label })}
      >
        <img src={item.image.thumb_url} alt="" width={200} height={150} loading="lazy" decoding="async" />
        <ItemImageMarks item={item} view={view} rules={rules} fit="cover" />
      </button>
      <div>
        <p className="tiny">
          {item.label} {item.returned && <Chip tone="warn">{t("returnedBadge")}</Chip>} {item.is_corrected && <Chip tone="accent">{t("correctedBadge")}</Chip>}
        </p>
        {children}
      </div>
      <div className={styles.sheetButtons}>
        {item.state === "skipped" ? (
          <Chip>{t("check.noTick")}</Chip>
        ) : (
          <Button
            small
            look={ticked ? undefined : "primary"}
            aria-pressed={ticked}
            disabled={!canTick}
            onClick={onTick}
            data-testid={`tick-${item.label}`}
          >
            {ticked ? `✓ ${t("ticked")}` : t("action.tick")}
          </Button>
        )}
        <Link className="button button-small" to={edit}>
          {t("action.edit")}
        </Link>
      </div>
    </li>
  );
}
