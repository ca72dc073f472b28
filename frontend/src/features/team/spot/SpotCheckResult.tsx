/** One draw with its result for each team: how many were judged, how many are wrong, and the share that is right. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { SpotCheck, TeamSpotCheck } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import { Whisker } from "@/ui/Whisker";
import styles from "../team.module.css";

interface SpotCheckResultProps {
  check: SpotCheck;
  slug: string;
  kind: string;
}

export function SpotCheckResult({ check, slug, kind }: SpotCheckResultProps) {
  const { t } = useTranslation("team");
  const format = useFormat();
  const columns = [
    t("team"),
    t("spot.column.right"),
    { number: t("spot.column.population") },
    { number: t("spot.column.drawn") },
    { number: t("spot.column.judged") },
    { number: t("spot.column.wrong") },
    { number: t("spot.column.changed") },
  ];
  return (
    <section className={styles.spotCheck} data-testid={`spot-check-${check.id}`}>
      <h2>
        <Time at={check.drawn_at} sentence={(time) => t("spot.drawn", { time, percent: format.percent(check.percent / 100, 0) })} />
      </h2>
      {check.teams.length === 0 ? (
        <p className="dim">{t("spot.notDrawn")}</p>
      ) : (
        <WideTable label={t("spot.resultsOf", { time: format.exact(check.drawn_at) })}>
          <table className="table">
            <TableHead columns={columns} />
            <tbody>
              {check.teams.map((row) => (
                <TeamResult key={row.team.id} row={row} board={`/b/${slug}/team?kind=${kind}&team=${row.team.id}`} />
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </section>
  );
}

function TeamResult({ row, board }: { row: TeamSpotCheck; board: string }) {
  const format = useFormat();
  return (
    <tr data-testid={`result-${row.team.name}`}>
      <th scope="row">
        <Link to={board}>{row.team.name}</Link>
      </th>
      <td>
        <Share row={row} />
      </td>
      <td className="number">{format.number(row.population)}</td>
      <td className="number">{format.number(row.drawn)}</td>
      <td className="number">{format.number(row.right + row.wrong)}</td>
      <td className="number">{row.wrong > 0 ? <Link to={`${board}&show=returned`}>{format.number(row.wrong)}</Link> : format.number(0)}</td>
      <td className="number">{format.number(row.changed)}</td>
    </tr>
  );
}

/** The share of right items, once none is open; with its interval if none changed before it was judged. */
export function Share({ row }: { row: TeamSpotCheck }) {
  const { t } = useTranslation("team");
  const format = useFormat();
  const judged = row.right + row.wrong;
  if (row.open > 0) return <span className="dim">{t("spot.open", { count: row.open })}</span>;
  if (judged === 0) return <span className="dim">{t("spot.noneJudged")}</span>;
  const share = format.percent(row.right / judged, 0);
  if (row.interval === null) {
    return (
      <>
        <b className="number">{share}</b> <span className="tiny">{t("spot.noInterval", { count: judged })}</span>
      </>
    );
  }
  const { low, high, method } = row.interval;
  const range = t("spot.interval", { low: format.percent(low, 0), high: format.percent(high, 0) });
  const label = `${share}, ${range} (${t(`quality:interval.method.${method}`, { defaultValue: method })})`;
  return (
    <span className={styles.share} title={label}>
      <Whisker value={row.right / judged} low={low} high={high} label={label} />
      <b className="number">{share}</b> <span className="tiny">{range}</span>
    </span>
  );
}
