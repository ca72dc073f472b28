/** Chooses the category of a question; the definition of the chosen one stays in view. */
import { useId, useLayoutEffect, useRef, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useLocalised } from "@/i18n/localised";
import type { EditorProps } from "../kind";
import { findingsOf } from "../text/fields";
import { FindingLines } from "../text/FindingLines";
import { leafAt, set } from "../tree";
import { CATEGORY } from "./rows";
import { useSentences } from "./useSentences";
import styles from "./multipleChoice.module.css";

export function CategoryField({ editor }: { editor: EditorProps }) {
  const { rules, content, findings, field, onField, onChange } = editor;
  const { t } = useTranslation("kinds");
  const name = useLocalised();
  const say = useSentences();
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const leaf = leafAt(rules.content, content, CATEGORY);
  const isFocused = field === CATEGORY;
  useLayoutEffect(() => {
    if (isFocused) select.current?.focus();
  }, [isFocused]);
  if (leaf?.node.type !== "code") return null;
  const value = String(leaf.value);
  const choices = leaf.node.choices;
  const chosen = choices.find(({ code }) => code === value);
  const own = findingsOf(findings, CATEGORY).filter(({ code }) => value !== "" || code !== "category_missing");
  return (
    <div className={styles.choiceCategory}>
      <label className={styles.choiceName} htmlFor={id}>
        {t("multiple_choice.name.category")}
      </label>
      <select
        ref={select}
        id={id}
        className="input"
        value={value}
        aria-invalid={own.length > 0}
        aria-describedby={`${id}-note`}
        data-testid="question-category"
        onFocus={() => onField(CATEGORY)}
        onKeyDown={keepArrows}
        onChange={(event) => onChange(set(rules.content, content, CATEGORY, event.target.value))}
      >
        <option value="">{t("multiple_choice.chooseCategory")}</option>
        {choices.map((choice) => (
          <option key={choice.code} value={choice.code}>
            {name(choice.name)}
          </option>
        ))}
        {value !== "" && chosen === undefined && <option value={value}>{value}</option>}
      </select>
      <div className={styles.choiceDefinition} id={`${id}-note`} aria-live="polite">
        {chosen?.definition && <p className="tiny">{name(chosen.definition)}</p>}
        <FindingLines findings={own} say={say} />
      </div>
    </div>
  );
}

/** The arrows choose within the list; on the page they move between fields. */
function keepArrows(event: KeyboardEvent) {
  if (event.key === "ArrowUp" || event.key === "ArrowDown") event.stopPropagation();
}
