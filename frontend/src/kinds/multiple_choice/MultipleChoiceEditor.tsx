/** Writes a question with its options: a row for each field, the people's own language and the translation side by side. */
import { useContext, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useActions } from "@/ui/keys";
import { withTextsOf, type Candidate } from "../concepts/drafts";
import { hasConcepts, withoutConcepts } from "../concepts/replace";
import { rulesOf, type EditorProps } from "../kind";
import { PictureIdContext } from "../PictureCategory";
import { OverrideReasons } from "../text/OverrideReasons";
import { TextField } from "../text/TextField";
import { multipleChoiceActions } from "./actions";
import { CategoryField } from "./CategoryField";
import { empty, get, isSame } from "../tree";
import { otherSide, rowsOf, type Row } from "./rows";
import { useRowName } from "./useRowName";
import { useSentences } from "./useSentences";
import { lazily } from "../lazily";
import styles from "./multipleChoice.module.css";

// Beside the fields, and only where the protocol has concepts or trials.
const Concepts = lazily(() => import("../concepts/Concepts"))((part) => part.Concepts);
const BlindTrials = lazily(() => import("../trials/BlindTrials"))((part) => part.BlindTrials);

const idOf = (path: string) => path.replaceAll(".", "-");

const EMPTY_CODES = ["text_missing", "side_missing"];

export function MultipleChoiceEditor(props: EditorProps) {
  const { itemId, rules, content, findings, reasons, field, onField, onChange, onReason } = props;
  const { t } = useTranslation("kinds");
  const { sideName } = useRowName();
  const rows = rowsOf(rules);
  const other = otherSide(rows, field);
  const imageId = useContext(PictureIdContext);
  const { concept_in_question: concept, drafting, blind_trials: blindTrials } = rulesOf(rules, "multiple_choice");
  const replaceConcepts = hasConcepts(findings) ? () => onChange(withoutConcepts(rules.content, content, findings)) : null;
  useActions(multipleChoiceActions, {
    hasOtherSide: other !== null,
    switchLanguage: () => other !== null && onField(other),
    replaceConcepts,
  });
  const [first] = rows;
  // Answers come later: what was typed since the click stays, and another item is left alone.
  const newest = useRef(props);
  useLayoutEffect(() => {
    newest.current = props;
  });
  function putTextsOf(candidate: Candidate) {
    const now = newest.current;
    if (now.itemId !== itemId) return;
    now.onChange(withTextsOf(rules.content, now.content, candidate));
    const start = first?.sides[0]?.path ?? now.field;
    now.onField(start);
    // The candidate's button is gone, and the field may be the one that was open before.
    document.getElementById(idOf(start))?.focus();
  }
  function checkAgain() {
    const { content: typed, onChange: change } = newest.current;
    if (!isSame(rules.content, typed, empty(rules.content))) change({ ...typed });
  }
  return (
    <div className={styles.choice} data-testid="multiple_choice-editor" data-wide>
      <CategoryField editor={props} />
      {(concept === "forbidden" || drafting !== null) && imageId !== null && (
        <Concepts
          imageId={imageId}
          sides={(first?.sides ?? []).map((side) => ({ lang: side.node.lang, dir: side.node.dir, name: sideName(side) }))}
          onReplace={replaceConcepts}
          drafting={
            drafting
              ? {
                  itemId,
                  isWritten: rows.some(({ sides }) => sides.some(({ path }) => get(rules.content, content, path) !== "")),
                  onUse: putTextsOf,
                }
              : null
          }
          // The server looks at the text again: it may name what is a concept now.
          onChanged={checkAgain}
        />
      )}
      {first && first.sides.length > 1 && (
        <div className={styles.choiceHead} aria-hidden="true">
          {first.sides.map((side) => (
            <span key={side.path} className={styles.choiceName} data-dir={side.node.dir}>
              {sideName(side)}
            </span>
          ))}
        </div>
      )}
      {rows.map((row) => (
        <EditorRow key={`${itemId}-${row.path}`} editor={props} row={row} />
      ))}
      <OverrideReasons
        findings={findings}
        reasons={reasons}
        ask={(code) => t(`multiple_choice.override.${code}`, { defaultValue: t("text.overrideAny") })}
        onReason={onReason}
      />
      {blindTrials !== null && <BlindTrials itemId={itemId} />}
    </div>
  );
}

const SYMBOLS = { question: "", right: "✓ ", distractor: "✗ ", explanation: "" } as const;

function EditorRow({ editor, row }: { editor: EditorProps; row: Row }) {
  const { rowName, sideName, textName } = useRowName();
  const say = useSentences();
  return (
    <div className={styles.choiceRow} data-row={row.name}>
      <span className={styles.choiceName} aria-hidden="true">
        {SYMBOLS[row.name]}
        {rowName(row)}
      </span>
      <div className={styles.choiceSides}>
        {row.sides.map((side) => (
          <div key={side.path} className={styles.choiceSide}>
            {row.sides.length > 1 && (
              <span className={styles.choiceLanguage} data-dir={side.node.dir} aria-hidden="true">
                {sideName(side)}
              </span>
            )}
            <TextField
              editor={editor}
              path={side.path}
              id={idOf(side.path)}
              label={textName(row, side)}
              emptyCodes={EMPTY_CODES}
              say={say}
            />
          </div>
        ))}
      </div>
    </div>
  );
}
