/** Reads the expressions of a picture by the numbers of their objects, which are on the picture beside. */
import { useTranslation } from "react-i18next";
import type { ReaderProps } from "../kind";
import { findingsOf } from "../text/fields";
import { FindingLines } from "../text/FindingLines";
import { KeptReasons } from "../text/OverrideReasons";
import { ShortText, TextRead } from "../text/TextRead";
import { boxPath, textPath } from "./grounding";
import { expressionsOf } from "./objects";
import { useObjects } from "./useObjects";
import { useSentences } from "./useSentences";
import styles from "./grounding.module.css";
import textStyles from "../text/text.module.css";

export function GroundingReader(props: ReaderProps) {
  const { content, rules, findings = [], reasons = {}, short = false } = props;
  const { t } = useTranslation("kinds");
  const objects = useObjects(rules, content);
  const say = useSentences(rules, content, objects);
  const expressions = expressionsOf(rules, content);
  if (short) {
    const [first] = expressions;
    return (
      <p className={textStyles.textShort}>
        {first && <ShortText reader={props} path={textPath(first.key)} />}
        {expressions.length > 1 && <span className={textStyles.textMore}>{t("grounding.more", { count: expressions.length - 1 })}</span>}
      </p>
    );
  }
  return (
    <>
      <FindingLines findings={findingsOf(findings, "expressions")} say={say} />
      <ol className={styles.read} data-testid="expressions">
        {expressions.map(({ key }) => {
          const number = objects.findIndex((object) => object.key === key) + 1;
          return (
            <li key={key}>
              <span className={textStyles.textNumber}>{number > 0 ? number : "–"}</span>
              <div>
                <TextRead reader={props} path={textPath(key)} say={say} />
                <FindingLines findings={findingsOf(findings, boxPath(key))} say={say} />
              </div>
            </li>
          );
        })}
      </ol>
      <KeptReasons reasons={reasons} rules={rules} />
    </>
  );
}
