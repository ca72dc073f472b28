/** Listed submissions, one table for each profile, because profiles score differently. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useFormat } from "@/i18n/format";
import { money } from "@/i18n/money";
import { Manner } from "@/run/Manner";
import { MetricTable, useIntervalText } from "@/run/MetricTable";
import { useMetric } from "@/run/metrics";
import { Chip } from "@/ui/Chip";
import { Time } from "@/ui/Time";
import { scaleTo, type Leaderboard } from "./board";
import { Whisker } from "@/ui/Whisker";
import styles from "./leaderboard.module.css";

type ProfileSubmissions = Leaderboard["submissions"][number];
type Row = ProfileSubmissions["rows"][number];
type Figure = Row["figures"][number];

const COUNTS = ["n_missing", "n_unparsable", "n_refused", "n_failed"] as const;

export function ListedSubmissions({ board, release }: { board: Leaderboard; release: number }) {
  const { t } = useTranslation("submissions");
  if (board.submissions.length === 0) return null;
  return (
    <section className={styles.boardPart} aria-labelledby="submissions" data-testid="submissions">
      <h2 id="submissions">{t("board.title")}</h2>
      <p className="dim">{t("board.text")}</p>
      {board.submissions.map((one) => (
        <Table key={one.profile} of={one} release={release} />
      ))}
    </section>
  );
}

function Table({ of, release }: { of: ProfileSubmissions; release: number }) {
  const { t } = useTranslation("submissions");
  const slug = useSlug();
  const format = useFormat();
  const name = t(`profileName.${of.profile}`, { defaultValue: of.profile });
  const hasCost = of.rows.some(({ cost }) => cost !== null);
  const { isShare } = useMetric();
  const to = scaleTo(of.rows.flatMap(({ figures }) => figures).filter(({ metric }) => isShare(metric)));
  return (
    <>
      <p>
        <b title={of.profile}>{name}</b> <span className="dim">{t(`profile.${of.profile}`, { defaultValue: of.source })}</span>
      </p>
      <MetricTable
        label={name}
        className={styles.boardTable}
        testId={`submissions-${of.profile}`}
        headings={[t("board.system"), t("board.queries"), ...COUNTS.map((count) => t(`sets:scores.${count}`)), ...(hasCost ? [t("sets:scores.cost")] : [])]}
        below={(figures) => <Chance of={figures} />}
        rows={of.rows.map((row) => ({
          key: row.run === null ? `submission-${row.id}` : `run-${row.run}`,
          testId: row.run === null ? `submissions-${row.id}` : `board-run-${row.run}`,
          figures: withTextOnly(row, of.rows),
          counts: [
            t("board.scored", { scored: format.number(row.n_scored), expected: format.number(row.n_expected) }),
            ...COUNTS.map((count) => (row[count] === 0 ? <span className="faint">0</span> : format.number(row[count]))),
            ...(hasCost ? [costOf(row)] : []),
          ],
          head: (
            <div className={styles.boardSystem}>
              {row.is_open ? <Link to={row.run === null ? `/b/${slug}/releases/${release}/submissions/${row.id}` : `/b/${slug}/runs/${row.run}`}>{row.system}</Link> : row.system}
              {row.is_demo && (
                <>
                  {" "}
                  <Chip tone="warn">{t("runs:noBaseline")}</Chip>
                </>
              )}
              <p className="tiny">
                {row.crew !== "" && <>{row.crew} · </>}
                {row.manner !== null && (
                  <>
                    <Manner of={row.manner} /> ·{" "}
                  </>
                )}
                <Time at={row.created_at} />
              </p>
            </div>
          ),
        }))}
        show={(figure) => <Value of={figure} to={to} />}
      />
    </>
  );
}

/** What a run's replies cost; of a submitted file it is not known. */
function costOf({ run, cost }: Row) {
  if (cost !== null) return money(cost.amount, cost.currency);
  return <span className="faint">{run === null ? "—" : "0"}</span>;
}

interface Beside extends Figure {
  /** The same figure without pictures. */
  textOnly: number | null;
}

function withTextOnly(row: Row, rows: readonly Row[]): Beside[] {
  const figures = row.text_only === null ? [] : (rows.find(({ run }) => run === row.text_only)?.figures ?? []);
  return row.figures.map((one) => ({ ...one, textOnly: figures.find(({ scope, metric }) => scope === one.scope && metric === one.metric)?.value ?? null }));
}

/** What guessing gives by a metric, under its name. */
function Chance({ of }: { of: readonly Figure[] }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  const chance = of.find((one) => one.chance !== null)?.chance;
  return chance == null ? null : <span className={`tiny ${styles.boardBelow}`}>{t("sets:scores.chance", { chance: format.percent(chance, 1, 1) })}</span>;
}

function Value({ of, to }: { of: Beside | undefined; to: number }) {
  const { t } = useTranslation("submissions");
  const metric = useMetric();
  const interval = useIntervalText();
  if (of?.value == null) return <span className="faint">—</span>;
  const { value, low, high } = of;
  return (
    <span className={styles.boardFigure}>
      <b className={styles.boardValue} data-value={value}>
        {metric.value(of.metric, value)}
      </b>
      {metric.isShare(of.metric) && <Whisker value={value} low={low} high={high} to={to} {...(of.chance === null ? {} : { mark: of.chance })} label={interval(of)} />}
      <span className={`tiny ${styles.boardInterval}`}>{interval(of)}</span>
      {of.textOnly !== null && <span className={`tiny ${styles.boardInterval}`}>{t("sets:scores.textOnly", { value: metric.value(of.metric, of.textOnly) })}</span>}
    </span>
  );
}
