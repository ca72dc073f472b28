/** The board itself: a row a system, both directions, every depth; each figure leads to its samples. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useMay } from "@/api/session";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Chip, type Tone } from "@/ui/Chip";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import { samplesAddress } from "./address";
import { cellOf, depthOf, ranked, scaleTo, SCOPES, type BoardSystem, type Leaderboard } from "./board";
import { Figure } from "./Figure";
import styles from "./leaderboard.module.css";

const TONES: Readonly<Partial<Record<BoardSystem["status"], Tone>>> = { failed: "bad", partial: "warn" };

interface Sort {
  readonly scope: string;
  readonly metric: string;
}

export function BoardTable({
  board,
  release,
  sort,
  onSort,
}: {
  board: Leaderboard;
  release: number;
  sort: Sort;
  onSort: (sort: { scope: string; metric: string }) => void;
}) {
  const { t } = useTranslation("leaderboard");
  const format = useFormat();
  const { metrics, systems } = board;
  const to = scaleTo(systems.flatMap((system) => SCOPES.flatMap((scope) => metrics.map((metric) => cellOf(system, scope, metric)))));
  const isSorted = (scope: string, metric: string) => sort.scope === scope && sort.metric === metric;
  return (
    <section>
      <WideTable label={t("table")}>
        <table className={`table ${styles.boardTable}`} data-testid="scores">
          <thead>
            <tr>
              <th rowSpan={2} scope="col">
                {t("system")}
              </th>
              {SCOPES.map((scope) => (
                <th key={scope} colSpan={Math.max(1, metrics.length)} scope="colgroup" className={styles.boardScope}>
                  {t(`scope.${scope}`)}
                </th>
              ))}
              <th rowSpan={2} scope="col" className="number">
                {t("queries")}
              </th>
            </tr>
            <tr>
              {SCOPES.map((scope) =>
                (metrics.length === 0 ? [""] : metrics).map((metric) => (
                  <th
                    key={`${scope}-${metric}`}
                    scope="col"
                    className="number"
                    aria-sort={isSorted(scope, metric) ? "descending" : undefined}
                  >
                    {metric !== "" && (
                      <button
                        type="button"
                        className={styles.boardSort}
                        title={t("sortBy", { scope: t(`scope.${scope}`), metric })}
                        onClick={() => onSort({ scope, metric })}
                      >
                        {metric}
                        <span aria-hidden="true">{isSorted(scope, metric) ? " ↓" : ""}</span>
                      </button>
                    )}
                  </th>
                )),
              )}
            </tr>
          </thead>
          <tbody>
            {ranked(systems, sort.scope, sort.metric).map((system) => (
              <Row key={system.run} system={system} metrics={metrics} release={release} to={to} />
            ))}
          </tbody>
        </table>
      </WideTable>
      <p className="tiny">{t("tableText", { to: format.percent(to, 0) })}</p>
    </section>
  );
}

function Row({ system, metrics, release, to }: { system: BoardSystem; metrics: readonly string[]; release: number; to: number }) {
  const { t } = useTranslation("leaderboard");
  const slug = useSlug();
  const may = useMay(slug);
  const about = useLocalised()(system.system.description);
  return (
    <tr data-testid={`system-${system.system.slug}`} data-run={system.run} data-state={system.status}>
      <th scope="row" className={styles.boardSystem}>
        {may("run_show") ? <Link to={`/b/${slug}/runs/${system.run}`}>{system.system.name}</Link> : system.system.name}{" "}
        {system.system.is_demo && <Chip tone="warn">{t("noBaseline")}</Chip>}{" "}
        {system.status !== "scored" && <Chip tone={TONES[system.status]}>{t(`status.${system.status}`)}</Chip>}
        {about !== system.system.name && <p className={`tiny ${styles.boardAbout}`}>{about}</p>}
        {system.computed_at !== null && (
          <p className="tiny">
            <Time at={system.computed_at} sentence={(time) => t("scored", { time })} />
          </p>
        )}
      </th>
      {SCOPES.map((scope) =>
        (metrics.length === 0 ? [""] : metrics).map((metric) => (
          <td key={`${scope}-${metric}`} className="number">
            <Figure
              cell={metric === "" ? null : cellOf(system, scope, metric)}
              to={to}
              samples={may("sample_list") ? samplesAddress(slug, release, { run: system.run, scope, at: depthOf(metric) }) : null}
            />
          </td>
        )),
      )}
      <td className={`number ${styles.boardCounts}`}>
        {SCOPES.map((scope) => (
          <Counts key={scope} system={system} scope={scope} metric={metrics[0] ?? ""} release={release} />
        ))}
      </td>
    </tr>
  );
}

/** The denominators: how many queries were scored of how many, and what became of the others. */
function Counts({ system, scope, metric, release }: { system: BoardSystem; scope: "t2i" | "i2t"; metric: string; release: number }) {
  const { t } = useTranslation("leaderboard");
  const format = useFormat();
  const slug = useSlug();
  const cell = cellOf(system, scope, metric);
  if (cell === null) return null;
  return (
    <p data-testid={`counts-${scope}`}>
      <span className="tiny">{t(`short.${scope}`)}</span>{" "}
      <Link to={samplesAddress(slug, release, { run: system.run, scope })} className={styles.boardPlain}>
        {format.number(cell.n_scored)} / {format.number(cell.n_expected)}
      </Link>
      {cell.n_missing > 0 && (
        <Link to={samplesAddress(slug, release, { run: system.run, scope, outcome: "missing" })} className={styles.boardLack}>
          {t("missing", { number: format.number(cell.n_missing) })}
        </Link>
      )}
      {cell.n_failed > 0 && (
        <Link to={`/b/${slug}/runs/${system.run}`} className={styles.boardLack}>
          {t("failed", { number: format.number(cell.n_failed) })}
        </Link>
      )}
    </p>
  );
}
