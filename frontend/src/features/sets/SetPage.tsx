/** One item set: what it was made of, what systems score on it, and a form that starts another run. */
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { ItemSetDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLanguageName } from "@/i18n/languageName";
import { useSetName } from "@/run/SetName";
import { isRetrieval } from "@/run/suites";
import { Button, ButtonLink } from "@/ui/Button";
import { Loaded } from "@/ui/Loaded";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import { useFilters } from "@/ui/useFilters";
import { Scores } from "./Scores";
import { SetBoard } from "./SetBoard";
import { SetRuns } from "./SetRuns";
import { isReading, SetState } from "./SetState";
import { StartRuns } from "./StartRuns";
import styles from "./sets.module.css";

const POLL = 2_000;

export function SetPage() {
  const { t } = useTranslation("sets");
  const id = Number(useParams().setId);
  const set = useRead("set_show", { path: { id } }, { refetchInterval: (answer) => (answer !== undefined && isReading(answer as ItemSetDetail) ? POLL : false) });
  if (set.data) return <Detail set={set.data} />;
  return (
    <Page title={t("one")}>
      <Loaded of={set}>{() => null}</Loaded>
    </Page>
  );
}

function Detail({ set }: { set: ItemSetDetail }) {
  const { t } = useTranslation("sets");
  const slug = useSlug();
  const may = useMay(slug);
  const setName = useSetName();
  const filters = useFilters();
  const mayStart = set.available_actions.includes("set_run_start");
  const isStarting = mayStart && filters.get("start") !== undefined;
  const hasScores = set.state === "ready" && !isRetrieval(set.suite);
  return (
    <Page
      title={setName(set)}
      lead={
        <>
          {t(`runs:suite.${set.suite}`)} ·{" "}
          <Link to={`/b/${slug}/sets`} className={styles.underlined}>
            {t("all")}
          </Link>
        </>
      }
      actions={
        <>
          {set.state === "ready" && may("run_list") && (
            <ButtonLink to={`/b/${slug}/runs?set=${set.id}`} data-testid="set-runs">
              {t("runs")}
            </ButtonLink>
          )}
          {isRetrieval(set.suite) && set.release && may("leaderboard_show") && (
            <ButtonLink to={`/b/${slug}/releases/${set.release.id}/leaderboard?kind=captions`} data-testid="to-leaderboard">
              {t("runs:action.leaderboard")}
            </ButtonLink>
          )}
          {mayStart && !isStarting && (
            <Button look="primary" onClick={() => filters.set({ start: 1 })} data-testid="start-set-run">
              {t("start.open")}
            </Button>
          )}
        </>
      }
    >
      {isStarting && <StartRuns set={set} onClose={() => filters.set({ start: undefined })} />}
      {hasScores && <Scores set={set} />}
      {hasScores && may("set_board") && <SetBoard set={set.id} />}
      {set.state === "ready" && may("run_list") && <SetRuns set={set} slug={slug} />}
      <Facts set={set} />
    </Page>
  );
}

function Facts({ set }: { set: ItemSetDetail }) {
  const { t } = useTranslation("sets");
  const slug = useSlug();
  const format = useFormat();
  const language = useLanguageName();
  return (
    <section className="card" aria-labelledby="set-facts">
      <h2 id="set-facts">{t("facts")}</h2>
      <dl className="facts">
        <dt>{t("column.state")}</dt>
        <dd data-testid="set-state" data-state={set.state}>
          <SetState row={set} />
        </dd>
        {set.state === "ready" && (
          <>
            <dt>{t("column.entries")}</dt>
            <dd className="number">{format.number(set.size)}</dd>
            <dt>{t("sides")}</dt>
            <dd>{format.list(set.sides.map((side) => t(`side.${side}`, { language: language("en") })))}</dd>
            {set.digest !== "" && (
              <>
                <dt>{t("digest")}</dt>
                <dd className={`mono ${styles.digest}`}>{set.digest}</dd>
              </>
            )}
          </>
        )}
        <dt>{t("column.pictures")}</dt>
        <dd className="number">{format.number(set.pictures)}</dd>
        {set.release && (
          <>
            <dt>{t("origin.release")}</dt>
            <dd>
              <Link to={`/b/${slug}/releases/${set.release.id}`}>{set.release.label}</Link>
            </dd>
          </>
        )}
        {set.gold && (
          <>
            <dt>{t("new.gold")}</dt>
            <dd>
              {set.gold.name} <span className="dim">{format.bytes(set.gold.bytes)}</span>
            </dd>
          </>
        )}
        {set.zip && (
          <>
            <dt>{t("new.pictures")}</dt>
            <dd>
              {set.zip.name} <span className="dim">{format.bytes(set.zip.bytes)}</span>
            </dd>
          </>
        )}
        {set.dialogues && (
          <>
            <dt>{t("new.dialogues")}</dt>
            <dd>
              {set.dialogues.name} <span className="dim">{format.bytes(set.dialogues.bytes)}</span>
            </dd>
          </>
        )}
        <dt>{t("column.by")}</dt>
        <dd>
          {set.created_by?.name ?? t(`origin.${set.origin}`)} · <Time at={set.created_at} />
        </dd>
      </dl>
    </section>
  );
}
