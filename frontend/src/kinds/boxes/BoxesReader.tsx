/** Reads the boxes of a picture as they were submitted. They are drawn on the picture beside. */
import { useTranslation } from "react-i18next";
import { RegionList } from "@/picture/regions/RegionList";
import type { ReaderProps } from "../kind";
import { FindingLines } from "../text/FindingLines";
import { KeptReasons } from "../text/OverrideReasons";
import { countsOf, findingsOfBox, regionsOf } from "./boxes";
import { CategoryCounts } from "./CategoryCounts";
import { useCategories } from "./useCategories";
import { useSentences } from "./useSentences";
import styles from "./boxes.module.css";
import textStyles from "../text/text.module.css";

export function BoxesReader({ content, rules, findings = [], reasons = {}, short = false }: ReaderProps) {
  const { t } = useTranslation("kinds");
  const regions = regionsOf(rules, content);
  const { nameOf, nameOfCode, lookOf, main } = useCategories(rules, regions);
  const say = useSentences(rules);
  if (short) {
    const counts = countsOf(regions, null).map(({ code, count }) => t("boxes.countOf", { name: nameOfCode(code), number: count }));
    return (
      <p className={textStyles.textShort}>
        {t("boxes.count", { count: regions.length })} <span className={textStyles.textMore}>{counts.join(" · ")}</span>
      </p>
    );
  }
  return (
    <div className={styles.boxes}>
      <CategoryCounts regions={regions} rules={rules} main={main} />
      <FindingLines findings={findingsOfBox(findings, null)} say={say} />
      <RegionList regions={regions} label={t("boxes.list")} nameOf={nameOf} lookOf={lookOf} noteOf={({ key }) => <FindingLines findings={findingsOfBox(findings, key)} say={say} />} />
      <KeptReasons reasons={reasons} rules={rules} />
    </div>
  );
}
