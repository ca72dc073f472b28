/** Why an item was left unwritten: the reasons its annotator chose and their own words. */
import { useTranslation } from "react-i18next";
import { useReasonName } from "@/api/benchmark";
import type { WorkItem, WorkRules } from "@/api/types";
import { languageOf } from "@/kinds/tree";
import { Time } from "@/ui/Time";
import styles from "./packages.module.css";

export function Skipped({ item, slug, rules }: { item: WorkItem; slug: string; rules: WorkRules }) {
  const { t } = useTranslation("packages");
  const reasonName = useReasonName(slug);
  const why = item.skipped;
  return (
    <p className={styles.skipped} data-testid={`skipped-${item.label}`}>
      {t("skipped")}
      {why && (
        <>
          {why.reasons.length > 0 && ` ${why.reasons.map(reasonName).join(" · ")}`} {why.comment !== "" && <q lang={languageOf(rules.content)}>{why.comment}</q>}{" "}
          <span className="tiny">
            <Time at={why.at} />
          </span>
        </>
      )}
    </p>
  );
}
