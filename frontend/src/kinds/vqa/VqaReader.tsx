/** Reads the questions about one picture with their answers, as they were submitted. */
import { useTranslation } from "react-i18next";
import type { ReaderProps } from "../kind";
import { KeptReasons } from "../text/OverrideReasons";
import { TextRead } from "../text/TextRead";
import { NAMES, pairsOf } from "./content";
import { useSentences } from "./useSentences";
import styles from "./vqa.module.css";
import textStyles from "../text/text.module.css";

export function VqaReader({ content, lang, findings = [], reasons = {}, short = false }: ReaderProps) {
  const { t } = useTranslation("kinds");
  const say = useSentences(content);
  const pairs = pairsOf(content);
  if (short) {
    return (
      <p className={textStyles.textShort}>
        <span lang={lang}>
          {pairs[0]?.question ?? ""} {pairs[0]?.answer ?? ""}
        </span>
        {pairs.length > 1 && <span className={textStyles.textMore}>{t("vqa.more", { count: pairs.length - 1 })}</span>}
      </p>
    );
  }
  return (
    <>
      <ol>
        {pairs.map((pair, slot) => (
          <li key={slot} className={styles.vqaRead}>
            <span className={textStyles.textNumber} aria-hidden="true">
              {slot + 1}
            </span>
            <dl>
              {NAMES.map((name) => (
                <div key={name} data-name={name}>
                  <dt title={t(`vqa.name.${name}`)}>{t(`vqa.short.${name}`)}</dt>
                  <dd>
                    <TextRead
                      path={`pairs.${slot}.${name}`}
                      value={pair[name]}
                      lang={lang}
                      findings={findings}
                      say={say}
                    />
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ol>
      <KeptReasons reasons={reasons} lang={lang} />
    </>
  );
}
