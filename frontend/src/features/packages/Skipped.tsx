/** Why an item was left unwritten: the reasons its annotator chose and their own words. */
import { useTranslation } from "react-i18next";
import { useReasonName } from "@/api/benchmark";
import type { WorkItem } from "@/api/types";
import { Time } from "@/ui/Time";
import styles from "./packages.module.css";

export function Skipped({ item, slug, lang }: { item: WorkItem; slug: string; lang: string }) {
  const { t } = useTranslation("packages");
  const reasonName = useReasonName(slug);
  const why = item.skipped;
  return (
    <p className={styles.skipped} data-testid={`skipped-${item.label}`}>
      {t("skipped")}
      {why && (
        <>
          {why.reasons.length > 0 && ` ${why.reasons.map(reasonName).join(" · ")}`} {why.comment !== "" && <q lang={lang}>{why.comment}</q>}{" "}
          <span className="tiny">
            <Time at={why.at} />
          </span>
        </>
      )}
    </p>
  );
}
