/** Reads the captions of one picture, with the marks and findings they were submitted with. */
import { useTranslation } from "react-i18next";
import type { ReaderProps } from "../kind";
import { KeptReasons } from "../text/OverrideReasons";
import { TextRead } from "../text/TextRead";
import { captionsOf } from "./content";
import { useSentences } from "./useSentences";
import styles from "./captions.module.css";
import textStyles from "../text/text.module.css";

export function CaptionsReader({ content, lang, findings = [], reasons = {}, short = false }: ReaderProps) {
  const { t } = useTranslation("kinds");
  const say = useSentences(content);
  const captions = captionsOf(content);
  if (short) {
    return (
      <p className={textStyles.textShort}>
        <span lang={lang}>{captions[0] ?? ""}</span>
        {captions.length > 1 && (
          <span className={textStyles.textMore}>{t("captions.more", { count: captions.length - 1 })}</span>
        )}
      </p>
    );
  }
  return (
    <>
      <ol className={styles.captionsRead}>
        {captions.map((caption, slot) => (
          <li key={slot}>
            <span className={textStyles.textNumber} aria-hidden="true">
              {slot + 1}
            </span>
            <TextRead path={`captions.${slot}`} value={caption} lang={lang} findings={findings} say={say} />
          </li>
        ))}
      </ol>
      <KeptReasons reasons={reasons} lang={lang} />
    </>
  );
}
