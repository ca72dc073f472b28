/** What people handed in and put on the board: a table for each profile, for profiles do not count alike. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useFormat } from "@/i18n/format";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import { scaleTo, type Leaderboard } from "./board";
import { Whisker } from "./Whisker";

type OfProfile = Leaderboard["handed_in"][number];
type Row = OfProfile["rows"][number];
type Figure = Row["figures"][number];

export function HandedIn({ board, release }: { board: Leaderboard; release: number }) {
  const { t } = useTranslation("submissions");
  if (board.handed_in.length === 0) return null;
  return (
    <section className="board-part" aria-labelledby="handed-in" data-testid="handed-in">
      <h2 id="handed-in">{t("board.title")}</h2>
      <p className="dim">{t("board.text")}</p>
      {board.handed_in.map((one) => (
        <Table key={one.profile} of={one} release={release} />
      ))}
    </section>
  );
}

const nameOf = ({ scope, metric }: Figure) => `${scope} ${metric}`;

function Table({ of, release }: { of: OfProfile; release: number }) {
  const { t } = useTranslation("submissions");
  const slug = useSlug();
  const format = useFormat();
  const columns = new Map(of.rows.flatMap(({ figures }) => figures).map((figure) => [nameOf(figure), figure]));
  const to = scaleTo(of.rows.flatMap(({ figures }) => figures));
  return (
    <>
      <p>
        <b>{of.profile}</b> <span className="dim">{t(`profile.${of.profile}`, { defaultValue: of.source })}</span>
      </p>
      <WideTable label={of.profile}>
        <table className="table board-table" data-testid={`handed-in-${of.profile}`}>
          <thead>
            <tr>
              <th scope="col">{t("board.system")}</th>
              {[...columns].map(([name, { scope, metric }]) => (
                <th key={name} scope="col" className="number">
                  {scope !== "" && <span className="tiny">{t(`scope.${scope}`)} </span>}
                  {t(`metric.${metric}`, { defaultValue: metric })}
                </th>
              ))}
              <th scope="col" className="number">
                {t("board.queries")}
              </th>
            </tr>
          </thead>
          <tbody>
            {of.rows.map((row) => (
              <tr key={row.id} data-testid={`handed-in-${row.id}`}>
                <th scope="row" className="board-system">
                  {row.is_open ? (
                    <Link to={`/b/${slug}/releases/${release}/submissions/${row.id}`}>{row.system}</Link>
                  ) : (
                    row.system
                  )}
                  <p className="tiny">
                    <Time at={row.created_at} />
                  </p>
                </th>
                {[...columns.keys()].map((name) => (
                  <td key={name} className="number">
                    <Value of={row.figures.find((figure) => nameOf(figure) === name)} to={to} />
                  </td>
                ))}
                <td className="number">
                  {t("board.answered", { scored: format.number(row.n_scored), expected: format.number(row.n_expected) })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </>
  );
}

function Value({ of, to }: { of: Figure | undefined; to: number }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  if (of?.value == null) return <span className="faint">—</span>;
  const { value, low, high } = of;
  const interval = low === null || high === null ? t("report.noInterval") : `${format.number(low * 100, 1, 1)} – ${format.number(high * 100, 1, 1)}`;
  return (
    <span className="board-figure">
      <b className="board-value" data-value={value}>
        {format.percent(value, 1, 1)}
      </b>
      <Whisker value={value} low={low} high={high} to={to} label={interval} />
      <span className="tiny board-interval">{interval}</span>
    </span>
  );
}
