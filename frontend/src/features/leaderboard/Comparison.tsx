/** Compares two systems on the queries that both answered, with the difference in words. */
import { useTranslation } from "react-i18next";
import { useRead } from "@/api/queries";
import { Compared } from "@/board/Compared";
import { Loaded } from "@/ui/Loaded";
import { SelectField } from "@/ui/Field";
import { depthOf, ranked, type BoardSystem, type Leaderboard, type Scope } from "./board";
import styles from "./leaderboard.module.css";

export function Comparison({
  board,
  release,
  scope,
  metric,
  one: askedOne,
  other: askedOther,
  onChange,
}: {
  board: Leaderboard;
  release: number;
  scope: Scope;
  metric: string;
  one: number | null;
  other: number | null;
  onChange: (values: { one?: string; other?: string }) => void;
}) {
  const { t } = useTranslation("leaderboard");
  const systems = ranked(board.systems, scope, metric).filter((system) => system.scoring !== null);
  const find = (run: number | null) => systems.find((system) => system.run === run);
  const one = find(askedOne) ?? systems.find((system) => system.run !== askedOther);
  const other = find(askedOther) ?? systems.find((system) => system.run !== one?.run);
  if (!one || !other) {
    return (
      <section aria-labelledby="board-compare" className={styles.boardPart}>
        <h2 id="board-compare">{t("compare.title")}</h2>
        <p className="dim" data-testid="compare-alone">
          {t("compare.alone")}
        </p>
      </section>
    );
  }
  const pick = (name: "one" | "other", chosen: BoardSystem) => (
    <SelectField
      label={t(`compare.${name}`)}
      value={chosen.run}
      onChange={(event) => onChange({ [name]: event.target.value })}
      data-testid={`compare-${name}`}
    >
      {systems.map((system) => (
        <option key={system.run} value={system.run}>
          {system.system.name}
        </option>
      ))}
    </SelectField>
  );
  return (
    <section aria-labelledby="board-compare" className={styles.boardPart}>
      <h2 id="board-compare">{t("compare.title")}</h2>
      <div className="filters">
        {pick("one", one)}
        {pick("other", other)}
        <span className="tiny">
          {t(`scope.${scope}`)} · {metric}
        </span>
      </div>
      {one.run === other.run ? (
        <p className="dim">{t("compare.same")}</p>
      ) : (
        <Paired release={release} one={one} other={other} scope={scope} metric={metric} />
      )}
    </section>
  );
}

function Paired({ release, one, other, scope, metric }: { release: number; one: BoardSystem; other: BoardSystem; scope: Scope; metric: string }) {
  const { t } = useTranslation("leaderboard");
  const compared = useRead(
    "leaderboard_compare",
    { path: { id: release }, query: { one: one.run, other: other.run, scope, metric } },
    { keepLast: true },
  );
  return (
    <Loaded of={compared}>
      {(data) => {
        const names = { one: one.system.name, other: other.system.name };
        const depth = depthOf(metric);
        return <Compared compared={data} names={names} shares={(shares) => t(depth === 1 ? "compare.sharesFirst" : "compare.shares", { ...names, ...shares, depth })} />;
      }}
    </Loaded>
  );
}
