/** The team's progress: every count links to what it counts; old and stalled packages are marked. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useTracks } from "@/api/benchmark";
import type { Answer } from "@/api/request";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import { useFormat } from "@/i18n/format";
import { useTracksOfKinds } from "@/kinds/useTrackKinds";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Meter } from "@/ui/Meter";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
import { PictureQuota } from "./PictureQuota";
import styles from "../home.module.css";

type Board = Answer<"board_show">;

/** In the order of their life cycle, without withdrawn packages. */
const PACKAGE_STATES = ["available", "assigned", "working", "handed_over", "reviewing", "inspecting", "returned", "passed"] as const;
const ITEM_STATES = ["todo", "made", "skipped", "returned", "accepted", "excluded"] as const;
/** States in which a package needs no one's work. */
const AT_REST: readonly string[] = ["passed"];

export function TeamBoard({ slug }: { slug: string }) {
  const { t } = useTranslation("home");
  const board = useRead("board_show", { path: { b: slug } }, { refetchInterval: 60_000 });
  return (
    <section aria-labelledby="board" className={styles.board} data-testid="board">
      <h2 id="board">{t("board.title")}</h2>
      <Loaded of={board}>{(data) => <Tables board={data} slug={slug} />}</Loaded>
    </section>
  );
}

function Tables({ board, slug }: { board: Board; slug: string }) {
  const { t } = useTranslation("home");
  const may = useMay(slug);
  const tracks = useTracks(slug);
  const stalled = board.kinds.reduce((sum, row) => sum + Object.values(row.packages).reduce((n, cell) => n + cell.stalled, 0), 0);
  const hasPackages = board.kinds.some((row) => Object.values(row.packages).some((cell) => cell.n > 0));
  return (
    <>
      {stalled > 0 && (
        <p className={styles.boardStalled} data-testid="stalled">
          <Link to={`/b/${slug}/packages?stalled=true`}>{t("board.stalled", { count: stalled, days: board.stall_days })}</Link>
        </p>
      )}
      {hasPackages ? (
        <>
          <h3>{t("board.packages")}</h3>
          <PackageTable board={board} slug={slug} />
        </>
      ) : (
        tracks.includes("package") && (
          <Empty
            title={t("board.none.title")}
            actions={may("package_build") && <ButtonLink to={`/b/${slug}/packages?build=1`}>{t("nothing.buildPackages")}</ButtonLink>}
          >
            {t("board.none.text")}
          </Empty>
        )
      )}
      {board.kinds.length > 0 && (
        <>
          <h3>{t("board.items")}</h3>
          <ItemTable board={board} slug={slug} />
        </>
      )}
      {board.seats.length > 0 && (
        <>
          <h3>{t("board.seats")}</h3>
          <SeatTable board={board} slug={slug} />
        </>
      )}
      <PictureQuota pictures={board.pictures} slug={slug} />
    </>
  );
}

function PackageTable({ board, slug }: { board: Board; slug: string }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  return (
    <WideTable label={t("board.packages")}>
      <table className="table">
        <TableHead columns={[t("board.kind"), ...PACKAGE_STATES.map((state) => ({ number: t(`ui:packageState.${state}`) }))]} />
        <tbody>
          {board.kinds.map((row) => (
            <tr key={row.kind}>
              <th scope="row">{t(`ui:kind.${row.kind}`)}</th>
              {PACKAGE_STATES.map((state) => {
                const cell = row.packages[state];
                const to = `/b/${slug}/packages?kind=${row.kind}&state=${state}`;
                if (!cell || cell.n === 0) {
                  return (
                    <td key={state} className="number faint">
                      0
                    </td>
                  );
                }
                return (
                  <td key={state} className="number" data-testid={`board-${row.kind}-${state}`}>
                    <Link to={to}>{format.number(cell.n)}</Link>
                    {cell.oldest_at !== null && !AT_REST.includes(state) && (
                      <p className="tiny" title={t("oldest", { time: format.exact(cell.oldest_at) })}>
                        {format.relative(cell.oldest_at)}
                      </p>
                    )}
                    {cell.stalled > 0 && (
                      <Link className={styles.boardStalls} to={`${to}&stalled=true`}>
                        {t("board.stalls", { number: cell.stalled })}
                      </Link>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function ItemTable({ board, slug }: { board: Board; slug: string }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  const may = useMay(slug);
  const tracks = useTracksOfKinds(slug);
  // Teams have a target each; their progress is on the page of quality.
  const byTeam = (kind: string) => tracks.get(kind) === "peer" && may("team_statistics");
  return (
    <WideTable label={t("board.items")}>
      <table className="table">
        <TableHead
          columns={[t("board.kind"), ...ITEM_STATES.map((state) => ({ number: t(`ui:itemState.${state}`) })), { number: t("board.target") }]}
        />
        <tbody>
          {board.kinds.map((row) => (
            <tr key={row.kind}>
              <th scope="row">{t(`ui:kind.${row.kind}`)}</th>
              {ITEM_STATES.map((state) => {
                const n = row.items[state] ?? 0;
                return (
                  <td key={state} className={n === 0 ? "number faint" : "number"}>
                    {n === 0 ? 0 : <Link to={`/b/${slug}/items?kind=${row.kind}&state=${state}`}>{format.number(n)}</Link>}
                  </td>
                );
              })}
              <td className={`${styles.boardTarget} number`}>
                {byTeam(row.kind) ? (
                  <Link to={`/b/${slug}/quality?kind=${row.kind}`}>{t("board.byTeam")}</Link>
                ) : row.target === null ? (
                  <span className="faint">{t("board.noTarget")}</span>
                ) : (
                  <>
                    {t("board.ofTarget", { accepted: format.number(row.accepted), target: format.number(row.target) })}
                    <Meter value={row.accepted} of={row.target} label={t("board.target")} />
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function SeatTable({ board, slug }: { board: Board; slug: string }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  const may = useMay(slug);
  return (
    <WideTable label={t("board.seats")}>
      <table className="table">
        <TableHead
          columns={[
            t("board.pool"),
            t("board.kind"),
            { number: t("board.seat.free") },
            { number: t("board.seat.held") },
            { number: t("board.seat.done") },
          ]}
        />
        <tbody>
          {board.seats.map((row) => (
            <tr key={`${row.purpose}-${row.kind}`}>
              <th scope="row">
                {row.purpose !== "peer" && row.purpose !== "panel" && may("pool_show") ? (
                  <Link to={`/b/${slug}/pools/${row.purpose}?kind=${row.kind}`}>{t(`board.purpose.${row.purpose}`)}</Link>
                ) : (
                  t(`board.purpose.${row.purpose}`)
                )}
              </th>
              <td>{t(`ui:kind.${row.kind}`)}</td>
              <td className="number">{format.number(row.free)}</td>
              <td className="number">{format.number(row.held)}</td>
              <td className="number">{format.number(row.done)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
