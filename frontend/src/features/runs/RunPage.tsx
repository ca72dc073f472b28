/** One run: how far it is, what went wrong, and everything needed to repeat it. */
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Run, RunDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { money } from "@/i18n/money";
import { Manner } from "@/run/Manner";
import { RunButtons } from "@/run/RunButtons";
import { RunProgress, RunState, RunTrouble } from "@/run/RunProgress";
import { useSetName } from "@/run/SetName";
import { pollAfter } from "@/run/states";
import { isRetrieval } from "@/run/suites";
import { useRunControls } from "@/run/useRunControls";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { useActions } from "@/ui/keys";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import { runActions } from "./actions";
import { Failures } from "./Failures";
import { Record as Settings } from "./Record";
import styles from "./runs.module.css";

export function RunPage() {
  const { t } = useTranslation("runs");
  const id = Number(useParams().runId);
  const run = useRead(
    "run_show",
    { path: { id } },
    { refetchInterval: (answer) => (answer === undefined ? false : pollAfter([answer as Run])) },
  );
  if (run.data) return <Detail key={id} run={run.data} />;
  return (
    <Page title={t("runTitle")}>
      <Loaded of={run}>{() => null}</Loaded>
    </Page>
  );
}

function Detail({ run }: { run: RunDetail }) {
  const { t } = useTranslation("runs");
  const slug = useSlug();
  const may = useMay(slug);
  const navigate = useNavigate();
  const about = useLocalised()(run.system.description);
  const controls = useRunControls(run);
  const setName = useSetName();
  const over = run.release?.label ?? setName(run.set);
  const [cancelRequests, setCancelRequests] = useState(0);
  const kind = isRetrieval(run.suite) ? "?kind=captions" : "";
  const board = run.release !== null && may("leaderboard_show") ? `/b/${slug}/releases/${run.release.id}/leaderboard${kind}` : null;
  const commandFor = (control: "pause" | "resume" | "retry") => (controls.can(control) ? () => controls.perform(control) : null);
  useActions(runActions, {
    pause: commandFor("pause"),
    resume: commandFor("resume"),
    retry: commandFor("retry"),
    cancel: controls.can("cancel") ? () => setCancelRequests(cancelRequests + 1) : null,
    leaderboard: board === null ? null : () => void navigate(board),
  });
  return (
    <Page
      title={t("runTitleOver", { system: run.system.name, label: over })}
      lead={
        <>
          <RunState run={run} /> {run.system.is_demo && <Chip tone="warn">{t("noBaseline")}</Chip>}{" "}
          <Link to={`/b/${slug}/runs`} className={styles.underlined}>
            {t("allRuns")}
          </Link>
        </>
      }
      actions={
        <>
          {!isRetrieval(run.suite) && may("set_scores") && (
            <ButtonLink to={`/b/${slug}/sets/${run.set.id}`} data-testid="to-scores">
              {t("action.scores")}
            </ButtonLink>
          )}
          {board !== null && (
            <ButtonLink keys="b" to={board} data-testid="to-leaderboard">
              {t("action.leaderboard")}
            </ButtonLink>
          )}
        </>
      }
    >
      <div className={styles.runColumns} data-testid="run" data-status={run.status} data-done={run.done} data-expected={run.expected}>
        <div className={styles.runColumn}>
          <section className={`card ${styles.runNow}`} aria-labelledby="progress">
            <h2 id="progress">{t("progressTitle")}</h2>
            <RunProgress run={run} />
            <Chunks run={run} />
            <RunTrouble run={run} />
            <RunButtons key={cancelRequests} controls={controls} failed={run.failed} keys asking={cancelRequests > 0} />
          </section>
          {may("run_failures") && run.set.origin !== "file" && <Failures run={run} slug={slug} />}
          <Environment of={run.environment} />
        </div>
        <div className={styles.runColumn}>
          <Facts title={t("factsTitle")}>
            <dt>{t("fact.system")}</dt>
            <dd>
              <Link to={`/systems/${run.system.slug}`}>{run.system.name}</Link>
              {about !== run.system.name && <p className="tiny">{about}</p>}
            </dd>
            <dt>{t("fact.revision")}</dt>
            <dd className="mono">{run.system.revision}</dd>
            <dt>{t("fact.suite")}</dt>
            <dd>{t(`suite.${run.suite}`, { defaultValue: run.suite })}</dd>
            <dt>{t("fact.over")}</dt>
            <dd>
              <Over run={run} slug={slug} />
              <p className="tiny">
                <Manner of={run.manner} />
              </p>
            </dd>
            <dt>{t("fact.startedBy")}</dt>
            <dd>
              {run.started_by?.name ?? t("byItself")} · <Time at={run.created_at} />
            </dd>
            {run.cost !== null && (
              <>
                <dt>{t("sets:scores.cost")}</dt>
                <dd className="number" data-testid="run-cost">
                  {money(run.cost.amount, run.cost.currency)}
                </dd>
              </>
            )}
            {run.round > 0 && (
              <>
                <dt>{t("fact.round")}</dt>
                <dd className="number">{run.round + 1}</dd>
              </>
            )}
          </Facts>
          <section className="card">
            <h2>{t("settings")}</h2>
            <p className="tiny">{t("settingsText")}</p>
            <Settings value={run.settings} empty={t("noSettings")} />
          </section>
        </div>
      </div>
    </Page>
  );
}

/** What the run is over. */
function Over({ run, slug }: { run: RunDetail; slug: string }) {
  const setName = useSetName();
  if (run.release) return <Link to={`/b/${slug}/releases/${run.release.id}`}>{run.release.label}</Link>;
  return <Link to={`/b/${slug}/sets/${run.set.id}`}>{setName(run.set)}</Link>;
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card">
      <h2>{title}</h2>
      <dl className="facts">{children}</dl>
    </section>
  );
}

/** The environment of each worker that took part in the run. */
function Environment({ of }: { of: unknown }) {
  const { t } = useTranslation("runs");
  const { workers, ...rest } = (of ?? {}) as Readonly<Record<string, unknown>>;
  const each = (Array.isArray(workers) ? workers : []) as readonly Readonly<Record<string, unknown>>[];
  return (
    <section className="card">
      <h2>{t("environment")}</h2>
      <p className="tiny">{t("environmentText")}</p>
      {each.map(({ since, ...settings }, index) => (
        <div key={index} className={styles.runWorker}>
          <h3>
            {t("worker", { number: index + 1 })} {typeof since === "string" && <Time at={since} />}
          </h3>
          <Settings value={settings} empty="" />
        </div>
      ))}
      {(each.length === 0 || Object.keys(rest).length > 0) && <Settings value={rest} empty={t("noEnvironment")} />}
    </section>
  );
}

/** How many chunks of the work are in each state; failed ones only if there are any. */
function Chunks({ run }: { run: RunDetail }) {
  const { t } = useTranslation("runs");
  const format = useFormat();
  const states = (["done", "running", "queued", "failed"] as const).filter((s) => s !== "failed" || run.chunks.failed > 0);
  if (states.every((state) => run.chunks[state] === 0)) return null;
  return (
    <dl className={styles.runChunks} data-testid="chunks">
      {states.map((state) => (
        <div key={state}>
          <dt className="tiny">{t(`chunks.${state}`)}</dt>
          <dd className="number">{format.number(run.chunks[state])}</dd>
        </div>
      ))}
    </dl>
  );
}
