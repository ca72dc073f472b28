/** An item's history: its versions, newest first, what each changed, and every judgement of them. */
import { useTranslation } from "react-i18next";
import type { Answer } from "@/api/request";
import { useRead } from "@/api/queries";
import type { Reason } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { TextDiff } from "@/item/TextDiff";
import type { KindView } from "@/kinds/kind";
import { Loaded } from "@/ui/Loaded";
import { Chip } from "@/ui/Chip";
import { Time } from "@/ui/Time";
import styles from "./item.module.css";

type History = Answer<"item_history">;
type Revision = History["revisions"][number];
type Verdict = History["verdicts"][number];

interface RevisionsProps {
  itemId: number;
  view: KindView;
  lang: string;
  reasons: readonly Reason[];
}

export function Revisions({ itemId, view, lang, reasons }: RevisionsProps) {
  const { t } = useTranslation("item");
  const history = useRead("item_history", { path: { id: itemId } });
  return (
    <Loaded of={history}>
      {(data) => {
        const { revisions } = data;
        if (revisions.length === 0) return <p className="dim">{t("history.none")}</p>;
        return (
          <ol className={styles.revisions} data-testid="revisions">
            {revisions
              .map((revision, index) => (
                <li key={revision.no}>
                  <Head revision={revision} accepted={data.accepted_no === revision.no} />
                  {/* The only version is the text above. */}
                  {revisions.length > 1 && (
                    <Changes revision={revision} before={revisions[index - 1]} view={view} lang={lang} />
                  )}
                  {data.verdicts
                    .filter((verdict) => verdict.revision_no === revision.no)
                    .map((verdict) => (
                      <Judgement
                        key={`${verdict.stage}-${verdict.round}-${verdict.created_at}`}
                        verdict={verdict}
                        lang={lang}
                        reasons={reasons}
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

function Changes({ revision, before, view, lang }: { revision: Revision; before: Revision | undefined; view: KindView; lang: string }) {
  const { t } = useTranslation("item");
  if (before === undefined) return <view.Reader content={revision.content} lang={lang} reasons={revision.reasons} />;
  const old = view.parts(before.content);
  const now = view.parts(revision.content);
  const places = Array.from({ length: Math.max(old.length, now.length) }, (_, index) => index);
  const changed = places.filter((index) => old[index] !== now[index]);
  if (changed.length === 0) return <p className="dim">{t("history.same")}</p>;
  return (
    <>
      <ol className={styles.revisionChanges}>
        {changed.map((index) => (
          <li key={index}>
            <span className="tiny number">{index + 1}</span>
            <TextDiff before={old[index] ?? ""} after={now[index] ?? ""} lang={lang} />
          </li>
        ))}
      </ol>
      {changed.length < places.length && (
        <p className="tiny">{t("history.rest", { count: places.length - changed.length })}</p>
      )}
    </>
  );
}

function Judgement({ verdict, lang, reasons }: { verdict: Verdict; lang: string; reasons: readonly Reason[] }) {
  const { t } = useTranslation("item");
  const name = useLocalised();
  const isGood = verdict.outcome === "accept" || verdict.outcome === "right";
  return (
    <p className={styles.revisionVerdict}>
      <Chip tone={isGood ? "good" : verdict.outcome === "correct" ? "accent" : "warn"}>
        {t(`stage.${verdict.stage}`, { defaultValue: verdict.stage })}
        {t("ui:judgedAs", { outcome: t([`ui:outcome.${verdict.outcome}`, verdict.outcome]) })}
      </Chip>{" "}
      <span className="tiny">
        {verdict.judge?.name ?? t("ui:nameHidden")} · <Time at={verdict.created_at} />
      </span>{" "}
      {verdict.reasons.map((code) => name(reasons.find((reason) => reason.code === code)?.name) || code).join(" · ")}{" "}
      {verdict.comment !== "" && <q lang={lang}>{verdict.comment}</q>}
    </p>
  );
}
