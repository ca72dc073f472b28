/** Reads a dialogue as a transcript: who asks on the left, who answers on the right. */
import { useTranslation } from "react-i18next";
import type { ReaderProps } from "../kind";
import { ShortText, TextRead } from "../text/TextRead";
import { roundsOf } from "./rounds";
import { useSentences } from "./useSentences";
import styles from "./dialogue.module.css";
import textStyles from "../text/text.module.css";

export function DialogueReader(props: ReaderProps) {
  const { rules, short = false } = props;
  const { t } = useTranslation("kinds");
  const say = useSentences();
  const rounds = roundsOf(rules);
  if (short) {
    return (
      <p className={textStyles.textShort}>
        <ShortText reader={props} path="rounds.0.question" /> <ShortText reader={props} path="rounds.0.answer" />
        {rounds.length > 1 && (
          <span className={textStyles.textMore}>{t("dialogue.more", { count: rounds.length - 1 })}</span>
        )}
      </p>
    );
  }
  return (
    <ol className={styles.dialogueRead}>
      {rounds.map((fields, index) => (
        <li key={index}>
          <dl>
            {fields.map(({ name, path }) => (
              <div key={name} data-name={name}>
                <dt>{t(`dialogue.label.${name}`, { number: index + 1 })}</dt>
                <dd>
                  <TextRead reader={props} path={path} say={say} />
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ol>
  );
}
