/** Where an earlier round returned the item: why, and what was changed since. */
import { useTranslation } from "react-i18next";
import type { SheetItem, WorkRules } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { ContentChanges } from "@/item/ContentChanges";
import { changesOf } from "@/item/changes";
import type { KindView } from "@/kinds/kind";
import { languageOf } from "@/kinds/tree";
import { Notice } from "@/ui/Notice";
import styles from "../quality.module.css";

interface EarlierProps {
  item: Pick<SheetItem, "label" | "content">;
  earlier: NonNullable<SheetItem["earlier"]>;
  view: KindView;
  rules: WorkRules;
}

export function Earlier({ item, earlier, view, rules }: EarlierProps) {
  const { t } = useTranslation("quality");
  const name = useLocalised();
  const { verdict, stage, content } = earlier;
  if (!item.content) return null;
  const reasons = verdict.reasons.map((code) => name(rules.review_reasons.find((reason) => reason.code === code)?.name) || code);
  const isChanged = changesOf(rules, content, item.content).changed.length > 0;
  return (
    <Notice tone="warn">
      <div className={styles.earlier} data-testid={`earlier-${item.label}`}>
        <p>
          {t(`earlier.${stage}`, { round: verdict.round, defaultValue: t("earlier.any", { round: verdict.round }) })}
          {verdict.judge !== null && ` ${verdict.judge.name}`} <strong>{reasons.join(" · ")}</strong>{" "}
          {verdict.comment !== "" && <q lang={languageOf(rules.content)}>{verdict.comment}</q>}
        </p>
        <p className="tiny">{t(isChanged ? "earlier.changed" : "earlier.same")}</p>
        {isChanged && <ContentChanges before={content} after={item.content} view={view} rules={rules} />}
      </div>
    </Notice>
  );
}
