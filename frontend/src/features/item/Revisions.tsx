/** An item's history: its versions, newest first, what each changed, and every judgement of them. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import type { Answer } from "@/api/request";
import { useRead } from "@/api/queries";
import type { WorkRules } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { RevisionText } from "@/item/RevisionText";
import type { KindView } from "@/kinds/kind";
import { VersionMarks } from "@/kinds/Marks";
import { languageOf } from "@/kinds/tree";
import { Loaded } from "@/ui/Loaded";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Time } from "@/ui/Time";
import styles from "./item.module.css";

type History = Answer<"item_history">;
type Revision = History["revisions"][number];
type Verdict = History["verdicts"][number];

/** At the end of an item's address: the page is opened at the newest change. */
const HISTORY = "#history";

interface RevisionsProps {
  itemId: number;
  view: KindView;
  rules: WorkRules;
}

export function Revisions({ itemId, view, rules }: RevisionsProps) {
  const { t } = useTranslation("item");
  const history = useRead("item_history", { path: { id: itemId } });
  const list = useRef<HTMLOListElement>(null);
  const opensHere = useLocation().hash === HISTORY && history.data !== undefined;
  useEffect(() => {
    if (opensHere) list.current?.focus({ preventScroll: true });
    if (opensHere) list.current?.scrollIntoView({ block: "start" });
  }, [opensHere]);
  return (
    <Loaded of={history}>
      {(data) => {
        const { revisions } = data;
        if (revisions.length === 0) return <p className="dim">{t("history.none")}</p>;
        return (
          <ol ref={list} className={styles.revisions} tabIndex={-1} aria-label={t("history.title")} data-testid="revisions">
            {revisions
              .map((revision, index) => (
                <li key={revision.no}>
                  <Head revision={revision} accepted={data.accepted_no === revision.no} />
                  {/* The only version is the text above. */}
                  {revisions.length > 1 && (
                    <RevisionText revision={revision} before={revisions[index - 1]} view={view} rules={rules} />
                  )}
                  {revisions.length > 1 && view.Overlay && <ShowMarks revision={revision} before={revisions[index - 1]} view={view} rules={rules} />}
                  {data.verdicts
                    .filter((verdict) => verdict.revision_no === revision.no)
                    .map((verdict) => (
                      <Judgement
                        key={`${verdict.stage}-${verdict.round}-${verdict.created_at}`}
                        verdict={verdict}
                        rules={rules}
                      />
                    ))}
                </li>
              ))
              .reverse()}
          </ol>
        );
      }}
    </Loaded>
  );
}

function Head({ revision, accepted }: { revision: Revision; accepted: boolean }) {
  const { t } = useTranslation("item");
  const format = useFormat();
  const { guideline_version: guideline, active_ms: spent } = revision;
  return (
    <p className={styles.revisionHead}>
      <b>{t("history.version", { no: revision.no })}</b>
      {accepted && <Chip tone="good">{t("history.accepted")}</Chip>}
      <span className="tiny">
        {revision.author?.name ?? t(`origin.${revision.origin}`, { defaultValue: t("ui:nameHidden") })} · <Time at={revision.created_at} />
        {spent !== null && <> · {t("history.spent", { time: format.duration(spent) })}</>}
        {guideline !== null && <> · {t("history.guideline", { version: guideline })}</>}
      </span>
    </p>
  );
}

/** Shows a version's marks on the picture above: what it changed, or the first version beside the newest. */
function ShowMarks({ revision, before, view, rules }: { revision: Revision; before: Revision | undefined; view: KindView; rules: WorkRules }) {
  const { t } = useTranslation("item");
  const [isShown, setShown] = useState(false);
  const toggle = () => {
    setShown(!isShown);
    // The list is below the picture, which may be out of sight.
    if (!isShown) document.querySelector(".stage")?.scrollIntoView({ block: "center" });
  };
  return (
    <div className="row-actions">
      <Button small look="plain" onClick={toggle} data-testid={`show-marks-${revision.no}`}>
        {t(isShown ? "history.offPicture" : "history.onPicture")}
      </Button>
      {isShown && (
        <VersionMarks
          view={view}
          content={revision.content}
          before={before?.content}
          rules={rules}
          name={t("history.version", { no: revision.no })}
          side={before ? "changes" : "earlier"}
        />
      )}
    </div>
  );
}

function Judgement({ verdict, rules }: { verdict: Verdict; rules: WorkRules }) {
  const { t } = useTranslation("item");
  const name = useLocalised();
  const isGood = ["accept", "right", "star", "pass"].includes(verdict.outcome);
  return (
    <p className={styles.revisionVerdict}>
      <Chip tone={isGood ? "good" : verdict.outcome === "correct" ? "accent" : "warn"}>
        {t(`stage.${verdict.stage}`, { defaultValue: verdict.stage })}
        {t("ui:judgedAs", { outcome: t([`ui:outcome.${verdict.outcome}`, verdict.outcome]) })}
      </Chip>{" "}
      <span className="tiny">
        {verdict.judge?.name ?? t("ui:nameHidden")} · <Time at={verdict.created_at} />
      </span>{" "}
      {verdict.reasons.map((code) => name([...rules.review_reasons, ...rules.skip_reasons].find((reason) => reason.code === code)?.name) || code).join(" · ")}{" "}
      {verdict.comment !== "" && <q lang={languageOf(rules.content)}>{verdict.comment}</q>}
    </p>
  );
}
