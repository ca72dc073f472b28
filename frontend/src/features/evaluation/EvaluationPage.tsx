/** What the systems under test are doing: the rolling runs over accepted work, and the releases they are scored on. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useList, useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Run } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Answered } from "@/ui/Answered";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { useErrorText } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import "./evaluation.css";

const BUSY_MS = 2_000;
const QUIET_MS = 15_000;

/** Rows of a list answer, paged or plain. */
function runsIn(answer: unknown): Run[] {
  if (Array.isArray(answer)) return answer as Run[];
  const results = (answer as { results?: unknown } | undefined)?.results;
  return Array.isArray(results) ? (results as Run[]) : [];
}

export function EvaluationPage() {
  const { t } = useTranslation("evaluation");
  const slug = useSlug();
  const may = useMay(slug);
  const runs = useRead(
    "run_list",
    { path: { b: slug } },
    { refetchInterval: (answer) => (runsIn(answer).some((run) => run.done < run.expected) ? BUSY_MS : QUIET_MS) },
  );
  return (
    <Page title={t("title")} lead={t("lead")}>
      <Answered of={runs}>
        {(data) => {
          const rows = runsIn(data);
          return rows.length === 0 ? (
            <Empty title={t("empty.title")}>{t("empty.text")}</Empty>
          ) : (
            <section aria-labelledby="runs">
              <h2 id="runs">{t("runs")}</h2>
              <p className="dim">{t("runsText")}</p>
              <ul className="runs" data-testid="runs">
                {rows.map((run) => (
                  <RunCard key={run.id} run={run} />
                ))}
              </ul>
            </section>
          );
        }}
      </Answered>
      {may("release_scores") && may("release_list") && <ScoredReleases slug={slug} />}
    </Page>
  );
}

function RunCard({ run }: { run: Run }) {
  const { t } = useTranslation("evaluation");
  const name = useLocalised();
  const format = useFormat();
  const say = useErrorText();
  const left = run.expected - run.done;
  return (
    <li className="card run" data-testid={`run-${run.system.slug}`} data-done={run.done} data-expected={run.expected}>
      <div className="run-head">
        <h3>
          {run.system.name} {run.system.is_demo && <Chip tone="warn">{t("demo")}</Chip>}
        </h3>
        <span className="tiny">
          <Time at={run.updated_at} />
        </span>
      </div>
      <p className="dim">{name(run.system.description)}</p>
      <div className="run-progress">
        <Meter value={run.done} of={run.expected} label={t("progress")} />
        <span className="number" data-testid="run-done">
          {format.number(run.done)} / {format.number(run.expected)}
        </span>
      </div>
      <p className="tiny">
        {run.expected === 0 ? t("nothingYet") : left === 0 ? t("upToDate") : t("left", { number: left })}
        {run.failed > 0 && ` · ${t("failed", { number: run.failed })}`}
        {run.job?.state === "running" && ` · ${t("jobRunning", { done: run.job.done, total: run.job.total })}`}
      </p>
      {!run.worker.alive && (
        <Notice tone={left > 0 ? "warn" : "plain"}>
          <span data-testid="no-worker">
            {t("noWorker")}{" "}
            {run.worker.last_seen !== null && (
              <>
                {t("lastSeen")} <Time at={run.worker.last_seen} />
              </>
            )}
          </span>
        </Notice>
      )}
      {run.last_error && (
        <Notice tone="bad">
          {t("lastError")}{" "}
          {say({ code: run.last_error.code, params: (run.last_error.params ?? {}) as Record<string, unknown> })}
        </Notice>
      )}
    </li>
  );
}

function ScoredReleases({ slug }: { slug: string }) {
  const { t } = useTranslation("evaluation");
  const format = useFormat();
  const list = useList("release_list", { path: { b: slug } });
  const frozen = list.rows.filter((release) => release.state === "frozen");
  return (
    <section aria-labelledby="scored" className="scored">
      <h2 id="scored">{t("releases")}</h2>
      {list.data && frozen.length === 0 ? (
        <p className="dim">{t("noReleases")}</p>
      ) : (
        <ul>
          {frozen.map((release) => (
            <li key={release.id}>
              <Link to={`/b/${slug}/releases/${release.id}/scores`} data-testid={`scores-${release.label}`}>
                {release.label}
              </Link>{" "}
              <span className="dim">
                {t("releaseSize", { images: format.number(release.images), items: format.number(release.items) })} ·{" "}
                {release.frozen_at !== null && <Time at={release.frozen_at} />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
