/** Corrects a finished dialogue: each question with its answer below; findings under the field they concern. */
import { useTranslation } from "react-i18next";
import type { EditorProps } from "../kind";
import { TextField } from "../text/TextField";
import { roundsOf } from "./rounds";
import { useSentences } from "./useSentences";
import styles from "./dialogue.module.css";
import textStyles from "../text/text.module.css";

export function DialogueEditor(props: EditorProps) {
  const { itemId, rules } = props;
  const { t } = useTranslation("kinds");
  const say = useSentences();
  return (
    <ol data-testid="dialogue-editor">
      {roundsOf(rules).map((fields, index) => (
        <li key={`${itemId}-${index}`} className={styles.dialogueRound}>
          <span className={textStyles.textNumber} aria-hidden="true">
            {index + 1}
          </span>
          {fields.map(({ name, path }) => (
            <div key={name} className={styles.dialogueText}>
              <TextField
                editor={props}
                path={path}
                id={`${name}-${index + 1}`}
                label={t(`dialogue.label.${name}`, { number: index + 1 })}
                placeholder={t(`dialogue.name.${name}`)}
                emptyCodes={[`${name}_empty`]}
                say={say}
              />
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}
