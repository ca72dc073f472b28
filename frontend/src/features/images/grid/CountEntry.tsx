/** Accepting into a subset: the counts, then Enter. Typing the digits and Tab is all it takes. */
import { useEffect, useRef, useState, type SubmitEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Category, Image } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { CategorySelect } from "@/ui/CategorySelect";
import type { Subset } from "../protocol";
import { CountFields } from "./CountFields";
import { countsOf, faultsIn, typedOf, type Typed } from "./counts";
import type { Judgement } from "./judgementQueue";
import styles from "./grid.module.css";

interface Props {
  subset: Subset;
  images: readonly Image[];
  categories: readonly Category[];
  onAccept: (judgement: Judgement) => void;
  onCancel: () => void;
}

export function CountEntry({ subset, images, categories, onAccept, onCancel }: Props) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const [first] = images;
  const [typed, setTyped] = useState<Typed>(() => typedOf(images.length === 1 ? (first?.objects ?? null) : null));
  const [category, setCategory] = useState(() => {
    const slugs = new Set(images.map((image) => image.category?.slug));
    return slugs.size === 1 ? first?.category?.slug : undefined;
  });
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  const faults = faultsIn(typed, subset);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    const objects = countsOf(typed);
    if (faults.length > 0 || objects === null) return;
    onAccept({ outcome: "accepted", subset: subset.code, objects, ...(category === undefined ? {} : { category }) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  };
  return (
    <form className={styles.countEntry} onSubmit={submit} onKeyDown={onKeyDown} aria-label={name(subset.name)} data-testid="count-entry">
      <div className={styles.countRule}>
        <b>{name(subset.name)}</b> <span className="dim">{name(subset.rule)}</span>
      </div>
      <CountFields subset={subset} typed={typed} faults={faults} tried={tried} first={field} onChange={setTyped} />
      <div className={styles.countCategory}>
        <CategorySelect label={t("field.mainCategory")} value={category} categories={categories} onChange={setCategory} placeholder={t("intake.choose")} testId="main-category" />
      </div>
      <div className="row-actions">
        <Button type="submit" look="primary" small keys="Enter" data-testid="accept-counted">
          {t("action.acceptCounted", { count: images.length })}
        </Button>
        <Button small look="plain" keys="Escape" onClick={onCancel}>
          {t("ui:cancel")}
        </Button>
      </div>
    </form>
  );
}
