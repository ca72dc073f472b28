/** A release's retrieval scores: recall both ways for every system, with counts and intervals. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { newClientKey } from "@/api/client";
import { useRead, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import type { ReleaseScores } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Answered } from "@/ui/Answered";
import { Button } from "@/ui/Button";
import { Chip, type Tone } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem, useErrorText } from "@/ui/Problem";
import { WideTable } from "@/ui/WideTable";
import { lineOf, metricsOf, SCOPES, sortedBy, type ScoreLine, type SortKey, type SystemScores } from "./scores";
import "./evaluation.css";

const POLL_MS = 2_000;
const TONES: Readonly<Record<string, Tone>> = { scored: "good", failed: "bad" };

function isMoving(answer: unknown): boolean {
  const systems = (answer as ReleaseScores | undefined)?.systems ?? [];
  return systems.some((system) => system.state === "scoring" || system.state === "waiting");
}

export function ScoresPage() {
  const { t } = useTranslation("evaluation");
  const id = Number(useParams().releaseId);
  const slug = useSlug();
  const may = useMay(slug);
  const release = useRead("release_show", { path: { id } }, { enabled: may("release_show") });
  const scores = useRead(
    "release_scores",
    { path: { id } },
    { refetchInterval: (answer) => (isMoving(answer) ? POLL_MS : false) },
  );
  const again = useWrite("release_score", ["release_scores"]);
  const label = release.data?.label ?? "";
  return (
    <Page
      title={t("scores.title", { label })}
      lead={
        may("release_show") && (
          <Link to={`/b/${slug}/releases/${id}`} data-testid="to-release">
            {t("scores.toRelease", { label })}
          </Link>
        )
      }
      actions={
        may("release_score") &&
        scores.data?.suite !== null && (
          <Button
            busy={again.isPending}
            onClick={() => again.mutate({ path: { id }, body: { client_key: newClientKey() } })}
            data-testid="score-again"
          >
            {t("scores.again")}
          </Button>
        )
      }
    >
      {again.error && <Problem error={again.error} />}
      <Answered of={scores}>{(data) => <Table scores={data} />}</Answered>
    </Page>
  );
}

function Table({ scores }: { scores: ReleaseScores }) {
  const { t } = useTranslation("evaluation");
  const format = useFormat();
  const { gallery, systems } = scores;
  const metrics = metricsOf(systems);
  const [sort, setSort] = useState<SortKey>({ scope: "t2i", metric: "R@1" });
  if (scores.suite === null) return <Empty title={t("scores.noSuite")}>{t("scores.noSuiteText")}</Empty>;
  if (gallery.images === 0) return <Empty title={t("scores.none")}>{t("scores.noneText")}</Empty>;
  const values = { images: format.number(gallery.images), texts: format.number(gallery.texts) };
  return (
    <>
      <p className="scores-gallery" data-testid="gallery">
        {t("scores.gallery", { ...values, split: t(`split.${gallery.split}`, { defaultValue: gallery.split }) })}{" "}
        <span className="dim">{t("scores.chance", { chance: format.percent(1 / gallery.images, 2) })}</span>
      </p>
      {systems.length === 0 ? (
        <Empty title={t("scores.noSystems")}>{t("scores.noSystemsText")}</Empty>
      ) : (
        <WideTable label={t("title")}>
          <table className="table scores" data-testid="scores">
            <thead>
              <tr>
                <th rowSpan={2} scope="col">
                  {t("scores.system")}
                </th>
                {SCOPES.map((scope) => (
                  <th key={scope} colSpan={Math.max(1, metrics.length)} scope="colgroup" className="scores-scope">
                    {t(`scope.${scope}`)}
                  </th>
                ))}
                <th rowSpan={2} scope="col" className="number">
                  {t("scores.vectors")}
                </th>
              </tr>
              <tr>
                {SCOPES.map((scope) =>
                  (metrics.length === 0 ? [""] : metrics).map((metric) => (
                    <th
                      key={`${scope}-${metric}`}
                      scope="col"
                      className="number"
                      aria-sort={sort.scope === scope && sort.metric === metric ? "descending" : undefined}
                    >
                      {metric !== "" && (
                        <button type="button" className="scores-sort" onClick={() => setSort({ scope, metric })}>
                          {metric}
                          {sort.scope === scope && sort.metric === metric && " ↓"}
                        </button>
                      )}
                    </th>
                  )),
                )}
              </tr>
            </thead>
            <tbody>
              {sortedBy(systems, sort).map((system) => (
                <SystemRow key={system.run} system={system} metrics={metrics} />
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
      <p className="tiny">{t("scores.text")}</p>
    </>
  );
}

function SystemRow({ system, metrics }: { system: SystemScores; metrics: readonly string[] }) {
  const { t } = useTranslation("evaluation");
  const name = useLocalised();
  const format = useFormat();
  const say = useErrorText();
  return (
    <tr data-testid={`system-${system.system.slug}`} data-state={system.state}>
      <td>
        <b>{system.system.name}</b>{" "}
        {system.state !== "scored" && <Chip tone={TONES[system.state]}>{t(`state.${system.state}`)}</Chip>}
        <p className="tiny">
          {system.system.is_demo && <strong className="scores-demo">{t("demoText")} </strong>}
          {name(system.system.description)}
        </p>
        {system.error && (
          <Notice tone="bad">
            {say({ code: system.error.code, params: (system.error.params ?? {}) as Record<string, unknown> })}
          </Notice>
        )}
      </td>
      {SCOPES.map((scope) =>
        (metrics.length === 0 ? [""] : metrics).map((metric) => (
          <td key={`${scope}-${metric}`} className="number scores-cell">
            <Score line={metric === "" ? null : lineOf(system, scope, metric)} />
          </td>
        )),
      )}
      <td className="number scores-counts">
        {format.number(system.n_scored)} / {format.number(system.n_expected)}
        {system.n_missing > 0 && <p className="tiny">{t("scores.missing", { number: system.n_missing })}</p>}
        {system.n_failed > 0 && <p className="tiny">{t("scores.failed", { number: system.n_failed })}</p>}
      </td>
    </tr>
  );
}

function Score({ line }: { line: ScoreLine | null }) {
  const { t } = useTranslation("evaluation");
  const format = useFormat();
  if (line?.value == null) return <span className="faint">—</span>;
  const { value, low, high } = line;
  const hasInterval = low !== null && high !== null;
  const text = hasInterval
    ? t("scores.interval", {
        low: format.percent(low, 1),
        high: format.percent(high, 1),
        scored: format.number(line.n_scored),
        expected: format.number(line.n_expected),
      })
    : "";
  return (
    <span title={text} data-testid={`score-${line.scope}-${line.metric}`} data-value={value}>
      {format.percent(value, 1)}
      {hasInterval && (
        <>
          <svg className="whisker" viewBox="0 0 100 12" role="img" aria-label={text}>
            <line x1={1} x2={99} y1={6} y2={6} className="axis" />
            <line x1={1 + low * 98} x2={1 + high * 98} y1={6} y2={6} />
            <line x1={1 + low * 98} x2={1 + low * 98} y1={2} y2={10} />
            <line x1={1 + high * 98} x2={1 + high * 98} y1={2} y2={10} />
            <circle cx={1 + value * 98} cy={6} r={3} />
          </svg>
          <span className="tiny">
            {format.number(low * 100, 1)} – {format.number(high * 100, 1)}
          </span>
        </>
      )}
    </span>
  );
}
