/** The cells of a grid: how each asks, what it costs at most and takes, and what a start does with it. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import type { RunCell, RunPlan } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Manner } from "@/run/Manner";
import { Chip } from "@/ui/Chip";
import { useErrorText } from "@/ui/Problem";
import { WideTable } from "@/ui/WideTable";
import styles from "./sets.module.css";

export function PlanTable({ plan }: { plan: RunPlan }) {
  const { t } = useTranslation("sets");
  return (
    <WideTable label={t("plan.title")}>
      <table className={`table ${styles.table}`} data-testid="grid-cells">
        <thead>
          <tr>
            <th scope="col">{t("start.system")}</th>
            <th scope="col" className="number">
              {t("column.entries")}
            </th>
            <th scope="col" className="number">
              {t("plan.cost")}
            </th>
            <th scope="col" className="number">
              {t("plan.time")}
            </th>
            <th scope="col">{t("plan.what")}</th>
          </tr>
        </thead>
        <tbody>
          {plan.cells.map((cell, place) => (
            // Cells have no name of their own; a grid has them in one order.
            <Row key={place} cell={cell} />
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function Row({ cell }: { cell: RunCell }) {
  const { t } = useTranslation("sets");
  const format = useFormat();
  return (
    <tr data-testid="grid-cell" data-state={cell.state}>
      <th scope="row" className={styles.system}>
        {cell.name}
        <span className={`tiny ${styles.manner}`}>
          <Manner of={cell} />
        </span>
      </th>
      <td className="number">{cell.questions === null ? <Unknown /> : format.number(cell.questions)}</td>
      <td className="number">{cell.cost === null ? <Unknown /> : cell.currency === null ? t("plan.free") : `${cell.cost} ${cell.currency}`}</td>
      <td className="number">{cell.seconds === null ? <Unknown /> : format.duration(cell.seconds * 1000)}</td>
      <td className={styles.what}>
        <What cell={cell} />
      </td>
    </tr>
  );
}

function Unknown() {
  const { t } = useTranslation("sets");
  return (
    <span className="faint">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t("plan.unknown")}</span>
    </span>
  );
}

function What({ cell }: { cell: RunCell }) {
  const { t } = useTranslation("sets");
  const slug = useSlug();
  const errorText = useErrorText();
  if (cell.reason !== null) {
    return (
      <>
        <Chip tone="warn">{t("plan.state.blocked")}</Chip>
        <span className={styles.reason} data-code={cell.reason.code}>
          {errorText(cell.reason)}
        </span>
      </>
    );
  }
  if (cell.run === null) return <Chip tone="good">{t("plan.state.start")}</Chip>;
  return <Link to={`/b/${slug}/runs/${cell.run}`}>{t(`plan.state.${cell.state}`, { run: cell.run })}</Link>;
}
