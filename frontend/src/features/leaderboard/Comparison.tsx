/** Compares two systems on the queries that both answered, with the difference in words. */
import { useTranslation } from "react-i18next";
import type { Answer } from "@/api/request";
import { useRead } from "@/api/queries";
import { useFormat } from "@/i18n/format";
import { Loaded } from "@/ui/Loaded";
import { SelectField } from "@/ui/Field";
import { depthOf, ranked, verdictOf, type BoardSystem, type Leaderboard, type Scope } from "./board";
import { Whisker } from "@/ui/Whisker";
import styles from "./leaderboard.module.css";

type Compared = Answer<"leaderboard_compare">;

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
  const compared = useRead(
    "leaderboard_compare",
    { path: { id: release }, query: { one: one.run, other: other.run, scope, metric } },
    { keepLast: true },
  );
  return (
    <Loaded of={compared}>
      {(data) => <ComparisonResult compared={data} names={{ one: one.system.name, other: other.system.name }} depth={depthOf(metric)} />}
    </Loaded>
  );
}

function ComparisonResult({ compared, names, depth }: { compared: Compared; names: { one: string; other: string }; depth: number }) {
  const { t } = useTranslation("leaderboard");
  const format = useFormat();
  const { n, both, only_one: onlyOne, only_other: onlyOther, neither, difference, low, high, p } = compared;
  if (n === 0 || difference === null) return <p className="dim">{t("compare.nothing")}</p>;
  const points = (share: number) => format.number(share * 100, 1, 1);
  const hasInterval = low !== null && high !== null;
  const verdict = verdictOf(compared);
  const values = {
    ...names,
    points: points(Math.abs(difference)),
    // Worded from the leading system's side.
    low: hasInterval ? points(verdict === "other" ? -high : low) : "",
    high: hasInterval ? points(verdict === "other" ? -low : high) : "",
  };
  const reach = Math.max(0.05, ...[difference, low ?? 0, high ?? 0].map(Math.abs));
  const cells = [
    [t("compare.both"), both],
    [t("compare.only", { name: names.one }), onlyOne],
    [t("compare.only", { name: names.other }), onlyOther],
    [t("compare.neither"), neither],
  ] as const;
  return (
    <div className={`card ${styles.boardCompared}`} data-testid="compared" data-verdict={verdict} data-difference={difference}>
      <p>
        {t(depth === 1 ? "compare.sharesFirst" : "compare.shares", {
          ...names,
          n: format.number(n),
          depth,
          shareOne: format.percent((both + onlyOne) / n, 1, 1),
          shareOther: format.percent((both + onlyOther) / n, 1, 1),
        })}
      </p>
      <p>
        <b>{t(`compare.verdict.${verdict}`, values)}</b>{" "}
        {p !== null && (p < 0.001 ? t("compare.pTiny") : t("compare.p", { p: format.number(p, 3) }))}
      </p>
      {hasInterval && (
        <p className={styles.boardDifference}>
          <Whisker
            value={difference}
            low={low}
            high={high}
            from={-reach}
            to={reach}
            mark={0}
            label={t("compare.whisker", { ...names, points: points(difference), low: points(low), high: points(high) })}
          />
          <span className="number">
            {difference > 0 ? "+" : ""}
            {t("points", { number: points(difference) })}{" "}
            <span className="tiny">
              {points(low)} … {points(high)}
            </span>
          </span>
        </p>
      )}
      <dl className={styles.boardFourfold}>
        {cells.map(([name, number]) => (
          <div key={name}>
            <dt className="tiny">{name}</dt>
            <dd className="number">{format.number(number)}</dd>
          </div>
        ))}
      </dl>
      <p className="tiny">{t([`method.${compared.method}`, "method.other"], { method: compared.method, images: format.number(compared.images) })}</p>
    </div>
  );
}
