/** Why an item was left unwritten or was returned: the reasons that were chosen, and the comment. */
import { useTranslation } from "react-i18next";
import { useReasonName } from "@/api/benchmark";
import type { WorkItem, WorkRules } from "@/api/types";
import { languageOf } from "@/kinds/tree";
import { Time } from "@/ui/Time";
import styles from "./packages.module.css";

interface Props {
  item: WorkItem;
  slug: string;
  rules: WorkRules;
}

export function Skipped({ item, slug, rules }: Props) {
  const { t } = useTranslation("packages");
  const why = item.skipped;
  return (
    <p className={styles.skipped} data-testid={`skipped-${item.label}`}>
      {t("skipped")}
      {why && (
        <>
          <Why why={why} slug={slug} rules={rules} />{" "}
          <span className="tiny">
            <Time at={why.at} />
          </span>
        </>
      )}
    </p>
  );
}

/** Renders nothing for an item that was not returned. */
export function ReturnedReasons({ item, slug, rules }: Props) {
  const { t } = useTranslation("packages");
  if (!item.returned) return null;
  return (
    <p className={styles.skipped} data-testid={`returned-${item.label}`}>
      {t("returnedBecause")}
      <Why why={item.returned} slug={slug} rules={rules} />
    </p>
  );
}

function Why({ why, slug, rules }: { why: { reasons: string[]; comment: string }; slug: string; rules: WorkRules }) {
  const reasonName = useReasonName(slug);
  return (
    <>
      {why.reasons.length > 0 && ` ${why.reasons.map(reasonName).join(" · ")}`} {why.comment !== "" && <q lang={languageOf(rules.content)}>{why.comment}</q>}
    </>
  );
}
