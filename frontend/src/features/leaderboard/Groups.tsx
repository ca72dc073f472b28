/** One figure by group: a row a group, a column a system, tinted by value; the gap between best and worst group below. */
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Loaded } from "@/ui/Loaded";
import { Chip } from "@/ui/Chip";
import { ChoiceChips } from "@/ui/ChoiceChips";
import type { Filters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import { samplesAddress } from "./address";
import { cellOf, depthOf, gapOf, ranked, scaleTo, type BoardSystem, type Leaderboard } from "./board";
import { Figure } from "./Figure";
import styles from "./leaderboard.module.css";

type Group = Leaderboard["groups"][number];

const BY = ["distance", "category"] as const;

interface Props {
  board: Leaderboard;
  release: number;
  scope: string;
  metric: string;
  by: string | undefined;
  order: string | undefined;
  onChange: Filters["set"];
}

export function Groups({ board, release, scope, metric, by: chosen, order, onChange }: Props) {
  const { t } = useTranslation("leaderboard");
  // The board's own answer has the few groups of distance; the many categories are fetched when they are displayed.
  const ways = BY.filter((way) => board.charts.some((chart) => chart.name === `groups-${way}.csv`));
  const by = ways.find((way) => way === chosen) ?? ways[0];
  const more = useRead(
    "leaderboard_show",
    { path: { id: release }, query: { group_by: "category" } },
    { enabled: by === "category", keepLast: true },
  );
  if (by === undefined) return null;
  return (
    <section aria-labelledby="board-groups" className={styles.boardPart}>
      <h2 id="board-groups">{t("groups.title")}</h2>
      <div className={styles.boardSwitches}>
        {ways.length > 1 && (
          <ChoiceChips
            label={t("groups.title")}
            value={by}
            choices={ways.map((way) => ({ value: way, text: t(`groups.${way}`), testId: `by-${way}` }))}
            onChoose={(way) => onChange({ by: way })}
          />
        )}
        <ChoiceChips<string | undefined>
          label={t("groups.order")}
          value={order}
          choices={[
            { value: undefined, text: t("groups.asListed") },
            { value: "worst", text: t("groups.worstFirst") },
          ]}
          onChoose={(one) => onChange({ order: one })}
        />
        <span className="tiny">
          {t(`scope.${scope}`)} · {metric}
        </span>
      </div>
      {by === "category" ? (
        <Loaded of={more}>
          {(data) => <Table board={data} release={release} scope={scope} metric={metric} by={by} order={order} />}
        </Loaded>
      ) : (
        <Table board={board} release={release} scope={scope} metric={metric} by={by} order={order} />
      )}
      <p className="tiny">{t(`groupsText.${by}`)}</p>
    </section>
  );
}

/** Worst first by the mean over the systems that have the figure. */
function sorted(groups: readonly Group[], systems: readonly BoardSystem[], scope: string, metric: string, order: string | undefined): readonly Group[] {
  if (order !== "worst") return groups;
  const mean = (group: Group) => {
    const values = systems.flatMap((system) => cellOf(system, scope, metric, group.group_by, group.group)?.value ?? []);
    return values.length === 0 ? Infinity : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return [...groups].sort((a, b) => mean(a) - mean(b));
}

function Table({
  board,
  release,
  scope,
  metric,
  by,
  order,
}: Omit<Props, "onChange"> & { by: (typeof BY)[number] }) {
  const { t } = useTranslation("leaderboard");
  const slug = useSlug();
  const may = useMay(slug);
  const format = useFormat();
  const localised = useLocalised();
  const systems = ranked(board.systems, scope, metric).filter((system) => system.scoring !== null);
  const groups = sorted(
    board.groups.filter((group) => group.group_by === by),
    systems,
    scope,
    metric,
    order,
  );
  const to = scaleTo(systems.flatMap((system) => groups.map((group) => cellOf(system, scope, metric, by, group.group))));
  const nameOf = (code: string) => localised(groups.find((one) => one.group === code)?.name) || code;
  return (
    <WideTable label={t(`groups.${by}`)}>
      <table className={`table ${styles.boardTable} ${styles.boardGroups}`} data-testid={`groups-${by}`}>
        <thead>
          <tr>
            <th scope="col">{t(`groups.${by}`)}</th>
            <th scope="col" className="number">
              {t("groups.n")}
            </th>
            {systems.map((system) => (
              <th key={system.run} scope="col" className="number">
                {system.system.name}
                {system.system.is_demo && (
                  <>
                    {" "}
                    <Chip tone="warn">{t("noBaseline")}</Chip>
                  </>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.group} data-testid={`group-${group.group}`}>
              <th scope="row">{nameOf(group.group)}</th>
              <td className="number">{format.number(group.n)}</td>
              {systems.map((system) => {
                const cell = cellOf(system, scope, metric, by, group.group);
                return (
                  <td key={system.run} className={`number ${styles.boardHeat}`} style={{ "--share": cell?.value ?? 0 } as CSSProperties}>
                    <Figure
                      isCounted
                      cell={cell}
                      to={to}
                      samples={
                        may("sample_list")
                          ? samplesAddress(slug, release, { run: system.run, scope, at: depthOf(metric), groupBy: by, group: group.group })
                          : null
                      }
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("groups.all")}</th>
            <td />
            {systems.map((system) => (
              <td key={system.run} className="number">
                <Figure
                  isCounted
                  cell={cellOf(system, scope, metric)}
                  to={to}
                  samples={may("sample_list") ? samplesAddress(slug, release, { run: system.run, scope, at: depthOf(metric) }) : null}
                />
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">{t("groups.gap")}</th>
            <td />
            {systems.map((system) => {
              const gap = gapOf(system, scope, metric, by);
              return (
                <td key={system.run} className="number" data-testid={`gap-${system.system.slug}`}>
                  {gap?.gap == null ? (
                    <span className="faint">—</span>
                  ) : (
                    <span className={styles.boardFigure}>
                      <b>{t("points", { number: format.number(gap.gap * 100, 1, 1) })}</b>
                      <span className={`tiny ${styles.boardInterval}`}>
                        {format.number(gap.low * 100, 1, 1)} – {format.number(gap.high * 100, 1, 1)}
                      </span>
                      <span className={`tiny ${styles.boardBetween}`}>
                        {t("groups.between", { highest: nameOf(gap.highest), lowest: nameOf(gap.lowest) })}
                      </span>
                    </span>
                  )}
                </td>
              );
            })}
          </tr>
        </tfoot>
      </table>
    </WideTable>
  );
}
