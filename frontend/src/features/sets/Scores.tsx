/** What systems score on an item set: the headline with its interval first, the best system first. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import type { ItemSetDetail, SetScores } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { money } from "@/i18n/money";
import { Manner } from "@/run/Manner";
import { Chip } from "@/ui/Chip";
import { Loaded } from "@/ui/Loaded";
import { Menu } from "@/ui/Menu";
import { WideTable } from "@/ui/WideTable";
import { Matrix } from "./Matrix";
import { useMetric } from "@/run/metrics";
import styles from "./sets.module.css";

const COUNTS = ["n_expected", "n_scored", "n_missing", "n_unparsable", "n_refused", "n_failed"] as const;
/** Milliseconds between two polls: runs end without the person. */
const POLL = 5_000;

export function Scores({ set }: { set: ItemSetDetail }) {
  const { t } = useTranslation("sets");
  const scores = useRead("set_scores", { path: { id: set.id } }, { refetchInterval: () => POLL });
  return (
    <section className={styles.scores} aria-labelledby="set-scores">
      <h2 id="set-scores">{t("scores.title")}</h2>
      <Loaded of={scores}>{(rows) => (rows.length === 0 ? <p className="dim">{t("scores.none")}</p> : <Figures rows={rows} set={set} />)}</Loaded>
    </section>
  );
}

function Figures({ rows, set }: { rows: readonly SetScores[]; set: ItemSetDetail }) {
  return (
    <>
      <Matrix rows={rows} />
      <Table rows={rows} set={set} />
    </>
  );
}

/** A profile's columns: the metrics that any of the rows has of it. */
interface Group {
  profile: string;
  metrics: readonly string[];
}

function groupsOf(rows: readonly SetScores[], profiles: readonly string[]): Group[] {
  const figures = rows.flatMap((row) => row.metrics);
  return profiles
    .map((profile) => ({ profile, metrics: [...new Set(figures.filter((one) => one.profile === profile).map(({ metric }) => metric))] }))
    .filter(({ metrics }) => metrics.length > 0);
}

function Table({ rows, set }: { rows: readonly SetScores[]; set: ItemSetDetail }) {
  const { t } = useTranslation("sets");
  const groups = groupsOf(rows, set.asks.profiles);
  const hasCost = rows.some(({ cost }) => cost !== null);
  return (
    <WideTable label={t("scores.title")}>
      <table className={`table ${styles.table}`} data-testid="set-scores">
        <Head groups={groups} hasCost={hasCost} chanceOf={(profile, metric) => rows.map((row) => figureIn(row.metrics, profile, metric)?.chance).find((one) => one != null)} />
        <tbody>
          {rows.map((row) => (
            <Row key={row.run} row={row} textOnly={rows.find(({ run }) => run === row.text_only)} groups={groups} hasCost={hasCost} />
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

interface HeadProps {
  groups: readonly Group[];
  hasCost: boolean;
  chanceOf: (profile: string, metric: string) => number | null | undefined;
}

function Head({ groups, hasCost, chanceOf }: HeadProps) {
  const { t } = useTranslation("sets");
  const profileName = useProfileName();
  const metric = useMetric();
  // Without a judge's file some runs have counts alone.
  const rows = groups.length > 0 ? 2 : 1;
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={rows}>
          {t("scores.system")}
        </th>
        {groups.map(({ profile, metrics }) => (
          <th key={profile} scope="colgroup" colSpan={metrics.length} className={metrics.length === 1 ? styles.profileOfOne : styles.profile} title={profile}>
            {profileName(profile)}
          </th>
        ))}
        {COUNTS.map((count) => (
          <th key={count} scope="col" rowSpan={rows} className="number">
            {t(`scores.${count}`)}
          </th>
        ))}
        {hasCost && (
          <th scope="col" rowSpan={rows} className="number">
            {t("scores.cost")}
          </th>
        )}
      </tr>
      {groups.length > 0 && (
        <tr>
          {groups.flatMap(({ profile, metrics }) =>
            metrics.map((one) => {
              const chance = chanceOf(profile, one);
              return (
                <th key={`${profile} ${one}`} scope="col" className="number">
                  {metric.name(one)}
                  {chance != null && <span className={`tiny ${styles.interval}`}>{t("scores.chance", { chance: metric.value(one, chance) })}</span>}
                </th>
              );
            }),
          )}
        </tr>
      )}
    </thead>
  );
}

interface RowProps {
  row: SetScores;
  /** The same setting without pictures. */
  textOnly: SetScores | undefined;
  groups: readonly Group[];
  hasCost: boolean;
}

function Row({ row, textOnly, groups, hasCost }: RowProps) {
  const { t } = useTranslation("sets");
  const slug = useSlug();
  const format = useFormat();
  return (
    <tr data-testid={`score-${row.run}`}>
      <th scope="row" className={styles.system}>
        <Link to={`/b/${slug}/runs/${row.run}`}>{row.system.name}</Link>
        {row.system.is_demo && <Chip tone="warn">{t("runs:noBaseline")}</Chip>}
        <span className={`tiny ${styles.manner}`}>
          <Manner of={row.manner} />
        </span>
        <span className={`tiny ${styles.manner}`}>
          <Link to={`/b/${slug}/runs/${row.run}/samples`} className={styles.underlined} data-testid={`samples-${row.run}`}>
            {t("scores.samples")}
          </Link>
          {row.overrides > 0 && (
            <>
              {" · "}
              <Link to={`/b/${slug}/runs/${row.run}/samples?overridden=true`} className={styles.underlined}>
                {t("scores.overrides", { count: row.overrides })}
              </Link>
            </>
          )}
        </span>
        <Files row={row} />
      </th>
      {groups.flatMap(({ profile, metrics }) =>
        metrics.map((metric) => (
          <Figure
            key={`${profile} ${metric}`}
            of={figureIn(row.metrics, profile, metric)}
            textOnly={figureIn(textOnly?.metrics ?? [], profile, metric)}
            corrected={figureIn(row.corrected, profile, metric)}
          />
        )),
      )}
      {COUNTS.map((count) => (
        <td key={count} className="number">
          {row[count] === 0 ? <span className="faint">0</span> : format.number(row[count])}
        </td>
      ))}
      {hasCost && <td className="number">{row.cost === null ? <span className="faint">0</span> : money(row.cost.amount, row.cost.currency)}</td>}
    </tr>
  );
}

type Figure = SetScores["metrics"][number] | undefined;

function figureIn(figures: SetScores["metrics"], profile: string, metric: string): Figure {
  return figures.find((one) => one.profile === profile && one.metric === metric);
}

/** A figure as read, with its interval; below it that without pictures and the one with the answers that people read. */
function Figure({ of, textOnly, corrected }: { of: Figure; textOnly: Figure; corrected: Figure }) {
  const { t } = useTranslation("sets");
  const metric = useMetric();
  if (of?.value == null) return <td className="number faint">–</td>;
  return (
    <td className="number">
      {metric.value(of.metric, of.value)}
      {of.low !== null && of.high !== null && (
        <span className={`tiny ${styles.interval}`}>{t("scores.interval", { low: metric.value(of.metric, of.low), high: metric.value(of.metric, of.high) })}</span>
      )}
      {textOnly?.value != null && <span className={`tiny ${styles.interval}`}>{t("scores.textOnly", { value: metric.value(textOnly.metric, textOnly.value) })}</span>}
      {corrected?.value != null && (
        <span className={`tiny ${styles.interval}`} data-testid="corrected-figure">
          {t("scores.corrected", { value: metric.value(corrected.metric, corrected.value) })}
        </span>
      )}
    </td>
  );
}

/** What can be downloaded of a run. */
function Files({ row }: { row: SetScores }) {
  const { t } = useTranslation("sets");
  const profileName = useProfileName();
  const report = (profile: string) => `/api/v1/runs/${row.run}/report?profile=${encodeURIComponent(profile)}`;
  return (
    <Menu
      label={t("scores.filesOf", { name: row.system.name })}
      text={t("scores.files")}
      testId={`files-${row.run}`}
      entries={[
        { key: "predictions", text: t("scores.predictions"), href: `/api/v1/runs/${row.run}/predictions`, testId: `predictions-${row.run}` },
        ...row.reports.map((profile) => ({ key: profile, text: t("scores.report", { profile: profileName(profile) }), href: report(profile) })),
        ...(row.overrides > 0 ? row.reports : []).map((profile) => ({
          key: `${profile} corrected`,
          text: t("scores.reportCorrected", { profile: profileName(profile) }),
          href: `${report(profile)}&overrides=true`,
        })),
      ]}
    />
  );
}

/** How a profile reads answers, without the benchmark's name before it. */
function useProfileName(): (profile: string) => string {
  const { t } = useTranslation("sets");
  return (profile) => t(`profile.${profile.split("/").at(-1) ?? ""}`, { defaultValue: profile });
}
