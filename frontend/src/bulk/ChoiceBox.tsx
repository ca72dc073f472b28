import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Choice } from "./useChoice";
import styles from "./bulk.module.css";

interface ChoiceBoxProps {
  label: string;
  checked: boolean;
  /** Some of the rows are chosen, not all. */
  isPartly?: boolean;
  onToggle: () => void;
  testId: string;
}

/** The check box of a row, or of all rows in the head of a table; its whole cell can be touched. */
function ChoiceBox({ label, checked, isPartly = false, onToggle, testId }: ChoiceBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <label className={styles.choiceBox}>
      <input ref={box} type="checkbox" aria-label={label} checked={checked} onChange={onToggle} data-testid={testId} />
    </label>
  );
}

/** The cell of a row with its check box. */
export function ChoiceCell({ choice, row }: { choice: Choice; row: { id: number; label: string } }) {
  const { t } = useTranslation("bulk");
  return (
    <td className={styles.choiceCell}>
      <ChoiceBox label={t("row", { label: row.label })} checked={choice.has(row.id)} onToggle={() => choice.toggle(row.id)} testId={`choose-${row.label}`} />
    </td>
  );
}

/** The heading of the column of check boxes. */
export function chooseAll(choice: Choice, label: string) {
  return {
    box: <ChoiceBox label={label} checked={choice.isWhole} isPartly={choice.ids.length > 0 && !choice.isWhole} onToggle={choice.toggleAll} testId="choose-all" />,
  };
}
