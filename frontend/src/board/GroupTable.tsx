/** Groups of questions by system, from the best; colour only repeats what the numbers say. */
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useMay } from "@/api/session";
import type { ProfileBoard } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { useMetric } from "@/run/metrics";
import { Manner } from "@/run/Manner";
import { Chip } from "@/ui/Chip";
import { WideTable } from "@/ui/WideTable";
import styles from "./board.module.css";

type Figure = ProfileBoard["rows"][number]["groups"][number];

export function GroupTable({ board }: { board: ProfileBoard }) {
  const { t } = useTranslation("leaderboard");
  const slug = useSlug();
  const maySee = useMay(slug)("prediction_list");
  const format = useFormat();
  const localised = useLocalised();
  const metric = useMetric();
  const tag = t(`samples:tags.${board.tag}`, { defaultValue: board.tag });
  const label = t("profile.by", { metric: metric.name(board.metric), tag });
  const hasChance = board.groups.some(({ chance }) => chance !== null);
  const chanceText = (chance: number | null) => (chance === null ? <span className="faint">—</span> : metric.value(board.metric, chance));
  return (
    <>
      <p className="dim">
        {label}
        {board.n_groups > board.groups.length && <> · {t("profile.largest", { n: format.number(board.groups.length), of: format.number(board.n_groups) })}</>}
        {board.n_rows > board.rows.length && <> · {t("profile.best", { n: format.number(board.rows.length), of: format.number(board.n_rows) })}</>}
      </p>
      <WideTable label={label}>
        <table className={`table ${styles.groups}`} data-testid="profile-groups">
          <thead>
            <tr>
              <th scope="col">{tag}</th>
              <th scope="col" className="number">
                {t("profile.n")}
              </th>
              {hasChance && (
                <th scope="col" className="number">
                  {t("profile.guessing")}
                </th>
              )}
              {board.rows.map((row) => (
                <th key={row.key} scope="col" className="number">
                  {row.system} {row.is_demo && <Chip tone="warn">{t("noBaseline")}</Chip>}
                  <span className="tiny">{row.manner === null ? row.crew : <Manner of={row.manner} />}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr data-testid="profile-all">
              <th scope="row">{t("groups.all")}</th>
              <td />
              {hasChance && <td className="number">{chanceText(board.chance)}</td>}
              {board.rows.map((row) => (
                <Cell key={row.key} figure={row.figure} samples={maySee && row.has_samples ? `/b/${slug}/runs/${row.run}/samples` : null}>
                  {row.text_only !== null && <span className={`tiny ${styles.interval}`}>{t("sets:scores.textOnly", { value: metric.value(board.metric, row.text_only) })}</span>}
                </Cell>
              ))}
            </tr>
            {board.groups.map((group, place) => (
              <tr key={group.group} data-testid={`group-${group.group}`}>
                <th scope="row">
                  <bdi>{localised(group.name)}</bdi>
                </th>
                <td className="number">{format.number(group.n)}</td>
                {hasChance && <td className="number">{chanceText(group.chance)}</td>}
                {board.rows.map((row) => (
                  <Cell
                    key={row.key}
                    figure={row.groups[place] ?? null}
                    samples={maySee && row.has_samples ? `/b/${slug}/runs/${row.run}/samples?${new URLSearchParams({ tag: board.tag, value: group.group }).toString()}` : null}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </>
  );
}

function Cell({ figure, samples, children }: { figure: Figure; samples: string | null; children?: React.ReactNode }) {
  const { t } = useTranslation("leaderboard");
  const metric = useMetric();
  if (figure?.value == null) return <td className="number faint">—</td>;
  const value = metric.value(figure.metric, figure.value);
  const isShare = metric.isShare(figure.metric);
  return (
    <td className={`number ${styles.heat}`} style={{ "--share": isShare ? figure.value : 0 } as CSSProperties}>
      <b data-value={figure.value}>{samples === null ? value : <Link to={samples}>{value}</Link>}</b>
      <span className={`tiny ${styles.interval}`}>
        {figure.low === null || figure.high === null ? t("figure.noInterval") : t("sets:scores.interval", { low: metric.value(figure.metric, figure.low), high: metric.value(figure.metric, figure.high) })}
      </span>
      {children}
    </td>
  );
}
