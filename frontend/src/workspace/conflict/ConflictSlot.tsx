/** One field of two versions: equal, or both texts and what is to be submitted. */
import { useTranslation } from "react-i18next";
import type { MergeChoice, MergeSlot } from "./merge";
import styles from "./conflict.module.css";

interface ConflictSlotProps {
  index: number;
  slot: MergeSlot;
  choice: MergeChoice;
  /** What would be submitted. */
  text: string;
  lang: string;
  onDecide: (choice: MergeChoice, text: string) => void;
}

export function ConflictSlot({ index, slot, choice, text, lang, onDecide }: ConflictSlotProps) {
  const { t } = useTranslation("workspace");
  return (
    <li className={styles.conflictSlot} data-verdict={slot.verdict} data-undecided={choice === null || undefined}>
      <span className={styles.conflictNumber}>{index + 1}</span>
      {slot.verdict === "same" ? (
        <p lang={lang}>{slot.mine}</p>
      ) : (
        <fieldset>
          <legend className="visually-hidden">{t("conflict.choose", { number: index + 1 })}</legend>
          {(["mine", "theirs"] as const).map((side) => (
            <label key={side}>
              <input
                type="radio"
                name={`conflict-${index}`}
                checked={choice === side}
                onChange={() => onDecide(side, slot[side])}
                data-testid={`conflict-${index + 1}-${side}`}
              />
              <span className="tiny">{side === "mine" ? t("conflict.own") : t("conflict.other")}</span>
              <span lang={lang}>{slot[side] === "" ? t("conflict.empty") : slot[side]}</span>
            </label>
          ))}
          <label className={styles.conflictMerged}>
            <span className="tiny">{t("conflict.merged")}</span>
            <textarea
              className="input"
              rows={2}
              lang={lang}
              value={text}
              onChange={(event) => onDecide("edited", event.target.value)}
            />
          </label>
          {slot.base !== "" && (
            <p className="tiny">
              {t("conflict.base")} <span lang={lang}>{slot.base}</span>
            </p>
          )}
        </fieldset>
      )}
    </li>
  );
}
