/** Reads the questions about one picture with their answers, as they were submitted. */
import { useTranslation } from "react-i18next";
import type { ReaderProps } from "../kind";
import { KeptReasons } from "../text/OverrideReasons";
import { ShortText, TextRead } from "../text/TextRead";
import { pairsOf } from "./pairs";
import { useSentences } from "./useSentences";
import styles from "./vqa.module.css";
import textStyles from "../text/text.module.css";

export function VqaReader(props: ReaderProps) {
  const { content, rules, reasons = {}, short = false } = props;
  const { t } = useTranslation("kinds");
  const say = useSentences(rules, content);
  const pairs = pairsOf(rules);
  if (short) {
    return (
      <p className={textStyles.textShort}>
        <ShortText reader={props} path="pairs.0.question" /> <ShortText reader={props} path="pairs.0.answer" />
        {pairs.length > 1 && <span className={textStyles.textMore}>{t("vqa.more", { count: pairs.length - 1 })}</span>}
      </p>
    );
  }
  return (
    <>
      <ol>
        {pairs.map((fields, index) => (
          <li key={index} className={styles.vqaRead}>
            <span className={textStyles.textNumber} aria-hidden="true">
              {index + 1}
            </span>
            <dl>
              {fields.map(({ name, path }) => (
                <div key={name} data-name={name}>
                  <dt title={t(`vqa.name.${name}`)}>{t(`vqa.short.${name}`)}</dt>
                  <dd>
                    <TextRead reader={props} path={path} say={say} />
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ol>
      <KeptReasons reasons={reasons} rules={rules} />
    </>
  );
}
