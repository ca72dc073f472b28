/** Reads a dialogue as a transcript: who asks on the left, who answers on the right. */
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { BaseContext } from "../base";
import type { ReaderProps } from "../kind";
import { Gap } from "@/ui/Gap";
import { languageOf } from "../tree";
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
  const caption = useContext(BaseContext)?.text ?? "";
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
    <>
      {caption !== "" && (
        <p className={styles.dialogueCaption} data-testid="dialogue-caption">
          <span className="tiny">{t("dialogue.caption")}</span>
            <Gap />
            <bdi lang={languageOf(rules.content)}>{caption}</bdi>
        </p>
      )}
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
    </>
  );
}
