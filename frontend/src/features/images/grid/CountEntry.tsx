/** Accepting into a subset: the three counts, then Enter. Typing the digits and Tab is all it takes. */
import { useEffect, useRef, useState, type SubmitEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Category, Image } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { CategorySelect } from "@/ui/CategorySelect";
import { COUNTS, type CountName, type Subset } from "../protocol";
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
  const boundsOf = (count: CountName) => {
    const bounds = subset.objects?.[count];
    if (!bounds) return "";
    const minimum = bounds.minimum ?? null;
    const maximum = bounds.maximum ?? null;
    if (minimum !== null && maximum !== null) return t("counts.between", { minimum, maximum });
    if (minimum !== null) return t("counts.atLeast", { minimum });
    return maximum === null ? "" : t("counts.atMost", { maximum });
  };
  const messages = [...new Set(faults.filter(({ fault }) => tried || fault !== "empty").map(({ field: count, fault }) => t(`counts.fault.${fault}`, { count: t(`counts.${count}`), rule: boundsOf(count) })))];

  return (
    <form className={styles.countEntry} onSubmit={submit} onKeyDown={onKeyDown} aria-label={name(subset.name)} data-testid="count-entry">
      <div className={styles.countRule}>
        <b>{name(subset.name)}</b> <span className="dim">{name(subset.rule)}</span>
      </div>
      {COUNTS.map((count, i) => (
        <label key={count} className={styles.countField}>
          <span>
            {t(`counts.${count}`)} <span className="faint">{boundsOf(count)}</span>
          </span>
          <input
            ref={i === 0 ? field : undefined}
            className="input number"
            inputMode="numeric"
            maxLength={4}
            value={typed[count]}
            aria-invalid={faults.some((one) => one.field === count && (tried || one.fault !== "empty")) || undefined}
            onChange={(event) => {
              setTyped({ ...typed, [count]: event.target.value.replace(/\D/g, "") });
              // "7 4 3" may be typed at once: a space continues to the next count.
              if (/\s$/.test(event.target.value)) event.target.form?.querySelectorAll("input")[i + 1]?.focus();
            }}
            data-testid={`count-${count}`}
          />
        </label>
      ))}
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
      {messages.length > 0 && (
        <p className={styles.countFaults} role="alert">
          {messages.join(" ")}
        </p>
      )}
    </form>
  );
}
