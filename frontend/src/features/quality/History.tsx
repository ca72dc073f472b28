/** An item's history: its versions and every judgement of them. */
import { useTranslation } from "react-i18next";
import { useRead } from "@/api/queries";
import type { PersonRef, WorkRules } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { RevisionText } from "@/item/RevisionText";
import type { KindView } from "@/kinds/kind";
import { languageOf } from "@/kinds/tree";
import { Loaded } from "@/ui/Loaded";
import { Chip } from "@/ui/Chip";
import { useActions } from "@/ui/keys";
import { Time } from "@/ui/Time";
import { historyActions } from "./actions";
import styles from "./quality.module.css";

interface HistoryProps {
  /** Escape closes it, before it leaves the page. */
  onClose: () => void;
  itemId: number;
  view: KindView;
  rules: WorkRules;
}

/** Null where colleagues' names are hidden. */
function nameOf(person: PersonRef | null): string {
  return person === null ? "" : ` · ${person.name}`;
}

export function History({ onClose, itemId, view, rules }: HistoryProps) {
  const { t } = useTranslation("quality");
  const name = useLocalised();
  useActions(historyActions, { close: onClose });
  const history = useRead("item_history", { path: { id: itemId } });
  return (
    <Loaded of={history}>
      {(data) => (
        <ol className={styles.history} data-testid="history">
          {data.revisions.map((revision, index) => (
            <li key={revision.no}>
              <p className="tiny">
                {t("history.version", { no: revision.no })}
                {nameOf(revision.author)} · <Time at={revision.created_at} />
              </p>
              <RevisionText revision={revision} before={data.revisions[index - 1]} view={view} rules={rules} />
              {data.verdicts
                .filter((verdict) => verdict.revision_no === revision.no)
                .map((verdict) => (
                  <p className="tiny" key={`${verdict.stage}-${verdict.round}-${verdict.created_at}`}>
                    <Chip>{t(`outcome.${verdict.outcome}`)}</Chip>
                    {nameOf(verdict.judge)} · <Time at={verdict.created_at} />{" "}
                    {verdict.reasons
                      .map((code) => name(rules.review_reasons.find((reason) => reason.code === code)?.name) || code)
                      .join(" · ")}{" "}
                    {verdict.comment !== "" && <q lang={languageOf(rules.content)}>{verdict.comment}</q>}
                  </p>
                ))}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}
