/** Reads a question with its options, as it was submitted, in one language or in two. */
import { useTranslation } from "react-i18next";
import { useLocalised } from "@/i18n/localised";
import type { ReaderProps } from "../kind";
import { findingsOf } from "../text/fields";
import { FindingLines } from "../text/FindingLines";
import { KeptReasons } from "../text/OverrideReasons";
import { ShortText, TextRead } from "../text/TextRead";
import { leafAt } from "../tree";
import { CATEGORY, rowsOf } from "./rows";
import { useRowName } from "./useRowName";
import { useSentences } from "./useSentences";
import styles from "./multipleChoice.module.css";
import textStyles from "../text/text.module.css";

export function MultipleChoiceReader(props: ReaderProps) {
  const { rules, reasons = {}, short = false } = props;
  const { t } = useTranslation("kinds");
  const say = useSentences();
  const { rowName } = useRowName();
  const rows = rowsOf(rules);
  if (short) {
    const others = rows.filter(({ name }) => name === "distractor").length;
    return (
      <p className={textStyles.textShort}>
        <ShortText reader={props} path="question.local" /> ✓ <ShortText reader={props} path="options.0.local" />
        <span className={textStyles.textMore}>{t("multiple_choice.more", { count: others })}</span>
      </p>
    );
  }
  return (
    <>
      <CategoryRead reader={props} />
      <dl className={styles.choiceRead}>
        {rows.map((row) => (
          <div key={row.path} data-row={row.name}>
            <dt>{rowName(row)}</dt>
            <dd className={styles.choiceSides}>
              {row.sides.map((side) => (
                <TextRead key={side.path} reader={props} path={side.path} say={say} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <KeptReasons reasons={reasons} rules={rules} />
    </>
  );
}

export function CategoryRead({ reader }: { reader: ReaderProps }) {
  const { rules, content, findings = [] } = reader;
  const { t } = useTranslation("kinds");
  const name = useLocalised();
  const say = useSentences();
  const leaf = leafAt(rules.content, content, CATEGORY);
  if (leaf?.node.type !== "code") return null;
  const code = String(leaf.value);
  const chosen = leaf.node.choices.find((choice) => choice.code === code);
  return (
    <div>
      <p className="tiny">
        {t("multiple_choice.categoryRead", { category: name(chosen?.name) || code || t("part.empty") })}
      </p>
      <FindingLines findings={findingsOf(findings, CATEGORY)} say={say} />
    </div>
  );
}
