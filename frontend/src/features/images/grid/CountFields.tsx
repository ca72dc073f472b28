/** The fields for a picture's object counts, with the subset's limits and what is wrong with them. */
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { countsFor, type CountName, type Subset } from "../protocol";
import type { CountFault, Typed } from "./counts";
import styles from "./grid.module.css";

interface Props {
  subset: Subset;
  typed: Typed;
  faults: readonly CountFault[];
  /** Whether sending was tried, so that empty fields are named, too. */
  tried: boolean;
  first?: RefObject<HTMLInputElement | null>;
  onChange: (typed: Typed) => void;
}

export function CountFields({ subset, typed, faults, tried, first, onChange }: Props) {
  const { t } = useTranslation("images");
  const format = useFormat();
  const boundsOf = (count: CountName) => {
    const bounds = subset.objects?.[count];
    if (!bounds) return "";
    const minimum = bounds.minimum ?? null;
    const maximum = bounds.maximum ?? null;
    if (minimum !== null && maximum !== null) return t("counts.between", { minimum, maximum });
    if (minimum !== null) return t("counts.atLeast", { minimum });
    return maximum === null ? "" : t("counts.atMost", { maximum });
  };
  const listed = faults.filter(({ fault }) => tried || fault !== "empty");
  const messages = [...new Set(listed.map(({ field, fault }) => t(`counts.fault.${fault}`, { count: t(`counts.${field}`), rule: boundsOf(field) })))];
  return (
    <>
      {countsFor(subset).map((count, i) => (
        <label key={count} className={styles.countField}>
          <span>
            {t(`counts.${count}`)} <span className="faint">{boundsOf(count)}</span>
          </span>
          <input
            ref={i === 0 ? first : undefined}
            className="input number"
            inputMode="numeric"
            maxLength={4}
            value={typed[count]}
            aria-invalid={listed.some((one) => one.field === count) || undefined}
            onChange={(event) => {
              onChange({ ...typed, [count]: event.target.value.replace(/\D/g, "") });
              // "7 4 3" may be typed at once: a space continues to the next count.
              if (/\s$/.test(event.target.value)) event.target.form?.querySelectorAll("input")[i + 1]?.focus();
            }}
            data-testid={`count-${count}`}
          />
        </label>
      ))}
      {messages.length > 0 && (
        <p className={styles.countFaults} role="alert">
          {format.sentences(messages)}
        </p>
      )}
    </>
  );
}
