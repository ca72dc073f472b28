/** One item on a sheet: picture, content, what was decided, and the form for deciding. */
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { JudgedItem, WorkRules } from "@/api/types";
import { Comments } from "@/item/Comments";
import { useSelectedCard } from "@/item/useSheet";
import type { KindView } from "@/kinds/kind";
import { ItemImageMarks } from "@/kinds/Marks";
import { PictureCategory } from "@/kinds/PictureCategory";
import { PictureSpace } from "@/picture/PictureSpace";
import { Stage } from "@/picture/Stage";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { cardActions } from "./actions";
import styles from "./quality.module.css";

interface SheetCardProps {
  item: JudgedItem;
  view: KindView;
  rules: WorkRules;
  selected: boolean;
  wide: boolean;
  /** Whether the content is being changed: then marks can be moved on the picture. */
  isEditing?: boolean;
  onSelect: () => void;
  onLook: () => void;
  children: ReactNode;
}

export function SheetCard(props: SheetCardProps) {
  const { item, view, rules, selected, wide, isEditing = false, onSelect, onLook, children } = props;
  const { t } = useTranslation("quality");
  const card = useSelectedCard(selected);
  // What was drawn on the picture is judged there, at a size at which its edges are seen.
  const isDrawn = view.Overlay !== undefined;
  const size = wide ? { width: 400, height: 300 } : { width: 320, height: 200 };
  return (
    <PictureSpace>
      <PictureCategory of={item}>
        <li
          ref={card}
          className={[styles.judgeCard, wide && styles.judgeWide, isDrawn && styles.judgeDrawn, selected && styles.isSelected].filter(Boolean).join(" ")}
          aria-current={selected}
          // On the way down: a button in the card may continue to the next one, which must stay selected then.
          onClickCapture={onSelect}
          data-testid={`card-${item.label}`}
        >
          {isEditing && view.Overlay ? (
            <div className={styles.judgeStage}>
              <Stage
                view={item.image.view_url}
                clean={item.image.clean_url}
                width={item.image.width}
                height={item.image.height}
                label={t("kinds:picture", { label: item.image.label })}
                keys={false}
              />
            </div>
          ) : (
            <button
              type="button"
              className={styles.judgePicture}
              onClick={onLook}
              aria-label={t("fullSize", { label: item.image.label })}
            >
              <img src={wide || isDrawn ? item.image.view_url : item.image.thumb_url} alt="" {...size} loading="lazy" decoding="async" />
              <ItemImageMarks item={item} view={view} rules={rules} fit="contain" />
            </button>
          )}
          <div className={styles.judgeText}>
            {children}
            <Talk item={item} selected={selected} />
          </div>
        </li>
      </PictureCategory>
    </PictureSpace>
  );
}

const NO_KEYS: typeof cardActions = [];

/** The item's comments, opened on demand. */
function Talk({ item, selected }: { item: JudgedItem; selected: boolean }) {
  const { t } = useTranslation("quality");
  const [open, setOpen] = useState(false);
  const [count, setCount] = useState(item.comments);
  useActions(selected ? cardActions : NO_KEYS, { comment: () => setOpen(!open) });
  return (
    <>
      <div className="row-actions">
        <Button
          small
          look="plain"
          keys={selected ? "c" : undefined}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          data-testid={`comments-${item.label}`}
        >
          {t("comments", { count })}
        </Button>
      </div>
      {open && <Comments itemId={item.id} focus onLeave={() => setOpen(false)} onCount={setCount} />}
    </>
  );
}
