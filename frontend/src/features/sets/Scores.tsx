/** What systems score on an item set: the headline with its interval first, the best system first. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import type { ItemSetDetail, SetScores } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLanguageName } from "@/i18n/languageName";
import { Chip } from "@/ui/Chip";
import { Loaded } from "@/ui/Loaded";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
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
      <Loaded of={scores}>{(rows) => (rows.length === 0 ? <p className="dim">{t("scores.none")}</p> : <Table rows={rows} set={set} />)}</Loaded>
    </section>
  );
}

function Table({ rows, set }: { rows: readonly SetScores[]; set: ItemSetDetail }) {
  const { t } = useTranslation("sets");
  const columns = rows
    .flatMap((row) => row.metrics)
    .filter((one, index, all) => all.findIndex((other) => other.profile === one.profile && other.metric === one.metric) === index);
  return (
    <WideTable label={t("scores.title")}>
      <table className="table" data-testid="set-scores">
        <TableHead
          columns={[
            t("scores.system"),
            ...columns.map(({ profile, metric }) => ({
              number: (
                <>
                  {t(`submissions:metric.${metric}`, { defaultValue: metric })} <span className={`tiny ${styles.profile}`}>{profile}</span>
                </>
              ),
            })),
            ...COUNTS.map((count) => ({ number: t(`scores.${count}`) })),
            t("scores.files"),
          ]}
        />
        <tbody>
          {rows.map((row) => (
            <Row key={row.run} row={row} columns={columns} set={set} />
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function Row({ row, columns, set }: { row: SetScores; columns: readonly { profile: string; metric: string }[]; set: ItemSetDetail }) {
  const { t } = useTranslation("sets");
  const slug = useSlug();
  const format = useFormat();
  return (
    <tr data-testid={`score-${row.run}`}>
      <th scope="row" className={styles.system}>
        <Link to={`/b/${slug}/runs/${row.run}`}>{row.system.name}</Link>
        {row.system.is_demo && <Chip tone="warn">{t("runs:noBaseline")}</Chip>}
        <SettingWords settings={row.settings} />
      </th>
      {columns.map(({ profile, metric }) => {
        const one = row.metrics.find((figure) => figure.profile === profile && figure.metric === metric);
        return (
          <td key={`${profile} ${metric}`} className="number">
            {one?.value == null ? <span className="faint">–</span> : format.percent(one.value)}
            {one?.low != null && one.high != null && (
              <span className={`tiny ${styles.interval}`}>{t("scores.interval", { low: format.percent(one.low), high: format.percent(one.high) })}</span>
            )}
          </td>
        );
      })}
      {COUNTS.map((count) => (
        <td key={count} className="number">
          {row[count] === 0 ? <span className="faint">0</span> : format.number(row[count])}
        </td>
      ))}
      <td className={styles.files}>
        <a href={`/api/v1/runs/${row.run}/predictions`} download data-testid={`predictions-${row.run}`}>
          {t("scores.predictions")}
        </a>
        {set.asks.profiles.map((profile) => (
          <a key={profile} href={`/api/v1/runs/${row.run}/report?profile=${encodeURIComponent(profile)}`} download>
            {t("scores.report", { profile })}
          </a>
        ))}
      </td>
    </tr>
  );
}

/** How the system was asked, in words. */
function SettingWords({ settings }: { settings: Readonly<Record<string, unknown>> }) {
  const { t } = useTranslation("sets");
  const language = useLanguageName();
  const { setting, means, side, picture } = settings as { setting: string; means: string; side: string; language: string; picture: [string, string] | null };
  const words = [
    t(`setting.${setting}`),
    t(`means.${means}`),
    t(`side.${side}`, { language: language("en") }),
    t("promptIn", { language: language(String(settings.language)) }),
    picture === null ? t("picture.none") : picture[0] === "1" ? null : t("picture.scaled", { scale: picture[0] }),
  ];
  return <span className={`tiny ${styles.setting}`}>{words.filter((word) => word !== null).join(" · ")}</span>;
}
