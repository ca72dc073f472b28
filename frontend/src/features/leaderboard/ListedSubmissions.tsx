/** Listed submissions, one table for each profile, because profiles score differently. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useFormat } from "@/i18n/format";
import { Manner } from "@/run/Manner";
import { Chip } from "@/ui/Chip";
import { MetricTable, useIntervalText } from "@/ui/MetricTable";
import { Time } from "@/ui/Time";
import { scaleTo, type Leaderboard } from "./board";
import { Whisker } from "@/ui/Whisker";
import styles from "./leaderboard.module.css";

type ProfileSubmissions = Leaderboard["submissions"][number];
type Row = ProfileSubmissions["rows"][number];
type Figure = Row["figures"][number];

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
  const to = scaleTo(of.rows.flatMap(({ figures }) => figures));
  return (
    <>
      <p>
        <b title={of.profile}>{name}</b> <span className="dim">{t(`profile.${of.profile}`, { defaultValue: of.source })}</span>
      </p>
      <MetricTable
        label={name}
        className={styles.boardTable}
        testId={`submissions-${of.profile}`}
        headings={[t("board.system"), t("board.queries")]}
        rows={of.rows.map((row) => ({
          key: row.run === null ? `submission-${row.id}` : `run-${row.run}`,
          testId: row.run === null ? `submissions-${row.id}` : `board-run-${row.run}`,
          figures: row.figures,
          count: t("board.scored", { scored: format.number(row.n_scored), expected: format.number(row.n_expected) }),
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

function Value({ of, to }: { of: Figure | undefined; to: number }) {
  const format = useFormat();
  const interval = useIntervalText();
  if (of?.value == null) return <span className="faint">—</span>;
  const { value, low, high } = of;
  return (
    <span className={styles.boardFigure}>
      <b className={styles.boardValue} data-value={value}>
        {format.percent(value, 1, 1)}
      </b>
      <Whisker value={value} low={low} high={high} to={to} label={interval(of)} />
      <span className={`tiny ${styles.boardInterval}`}>{interval(of)}</span>
    </span>
  );
}
