/** A question as it is asked: the options in random order, and the right one marked once the answer is shown. */
import { useTranslation } from "react-i18next";
import type { CheckProps } from "../kind";
import { KeptReasons } from "../text/OverrideReasons";
import { TextRead } from "../text/TextRead";
import { CategoryRead } from "./MultipleChoiceReader";
import { shuffled } from "./order";
import { rowsOf, type Row } from "./rows";
import { useRowName } from "./useRowName";
import { useSentences } from "./useSentences";
import styles from "./multipleChoice.module.css";

export function MultipleChoiceCheck(props: CheckProps) {
  const { content, rules, findings = [], reasons = {}, seed, isRevealed } = props;
  const { t } = useTranslation("kinds");
  const { rowName } = useRowName();
  const rows = rowsOf(rules);
  const options = shuffled(rows.filter(({ name }) => name === "right" || name === "distractor"), seed);
  // What was found may point to the right option.
  const reader = { content, rules, findings: isRevealed ? findings : [] };
  return (
    <div className={styles.choiceCheck} data-testid="check" data-revealed={isRevealed}>
      <CategoryRead reader={reader} />
      {rows.filter(({ name }) => name === "question").map((row) => <Sides key={row.path} row={row} reader={reader} />)}
      <ol aria-label={t("multiple_choice.options")}>
        {options.map((row) => (
          <li
            key={row.path}
            data-mark={t("multiple_choice.name.right")}
            data-right={(isRevealed && row.name === "right") || undefined}
            data-testid={isRevealed && row.name === "right" ? "right-option" : undefined}
          >
            <Sides row={row} reader={reader} />
            {isRevealed && row.name === "right" && <span className="chip chip-good">{t("multiple_choice.name.right")}</span>}
          </li>
        ))}
      </ol>
      {isRevealed && (
        <>
          {rows.filter(({ name }) => name === "explanation").map((row) => (
            <div key={row.path}>
              <p className="tiny">{rowName(row)}</p>
              <Sides row={row} reader={reader} />
            </div>
          ))}
          <KeptReasons reasons={reasons} rules={rules} />
        </>
      )}
    </div>
  );
}

function Sides({ row, reader }: { row: Row; reader: Pick<CheckProps, "content" | "rules" | "findings"> }) {
  const say = useSentences();
  return (
    <div className={styles.choiceSides}>
      {row.sides.map((side) => (
        <TextRead key={side.path} reader={reader} path={side.path} say={say} />
      ))}
    </div>
  );
}
