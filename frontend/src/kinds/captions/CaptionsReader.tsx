/** Reads the captions of one picture, with the marks and findings they were submitted with. */
import { useTranslation } from "react-i18next";
import type { ReaderProps } from "../kind";
import { KeptReasons } from "../text/OverrideReasons";
import { ShortText, TextRead } from "../text/TextRead";
import { leaves } from "../tree";
import { useSentences } from "./useSentences";
import styles from "./captions.module.css";
import textStyles from "../text/text.module.css";

export function CaptionsReader(props: ReaderProps) {
  const { content, rules, reasons = {}, short = false } = props;
  const { t } = useTranslation("kinds");
  const say = useSentences(rules, content);
  const captions = leaves(rules.content, content);
  if (short) {
    return (
      <p className={textStyles.textShort}>
        <ShortText reader={props} path="captions.0" />
        {captions.length > 1 && (
          <span className={textStyles.textMore}>{t("captions.more", { count: captions.length - 1 })}</span>
        )}
      </p>
    );
  }
  return (
    <>
      <ol className={styles.captionsRead}>
        {captions.map(({ path }, index) => (
          <li key={path}>
            <span className={textStyles.textNumber} aria-hidden="true">
              {index + 1}
            </span>
            <TextRead reader={props} path={path} say={say} />
          </li>
        ))}
      </ol>
      <KeptReasons reasons={reasons} rules={rules} />
    </>
  );
}
