/** Metrics side by side: a column for each direction and metric that any row has. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
import { useMetric } from "./metrics";

interface Metric {
  /** The direction of the search; "" where there is only one. */
  scope: string;
  metric: string;
  value: number | null;
  low: number | null;
  high: number | null;
}

interface MetricRow<Figure> {
  key: string | number;
  head: ReactNode;
  figures: readonly Figure[];
  /** The last cells: how many were counted. */
  counts: readonly ReactNode[];
  testId?: string;
}

interface MetricTableProps<Figure> {
  label: string;
  /** The headings over the first column and the last ones. */
  headings: readonly [first: string, ...counts: string[]];
  /** What stands below a metric's name. */
  below?: (figures: readonly Figure[]) => ReactNode;
  rows: readonly MetricRow<Figure>[];
  show: (figure: Figure | undefined) => ReactNode;
  className?: string;
  testId?: string;
}

export function MetricTable<Figure extends Metric>({ label, headings, rows, show, below, className = "", testId }: MetricTableProps<Figure>) {
  const { t } = useTranslation("submissions");
  const { name } = useMetric();
  const figures = rows.flatMap((row) => row.figures);
  const columns = figures.filter((one, index) => figures.findIndex((other) => isSameMetric(one, other)) === index);
  return (
    <WideTable label={label}>
      <table className={`table ${className}`} data-testid={testId}>
        <TableHead
          columns={[
            headings[0],
            ...columns.map(({ scope, metric }) => ({
              number: (
                <>
                  {scope !== "" && <span className="tiny">{t(`scope.${scope}`)} </span>}
                  {name(metric)}
                  {below?.(figures.filter((one) => one.scope === scope && one.metric === metric))}
                </>
              ),
            })),
            ...headings.slice(1).map((number) => ({ number })),
          ]}
        />
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} data-testid={row.testId}>
              <th scope="row">{row.head}</th>
              {columns.map((column) => (
                <td key={`${column.scope} ${column.metric}`} className="number">
                  {show(row.figures.find((figure) => isSameMetric(figure, column)))}
                </td>
              ))}
              {row.counts.map((count, index) => (
                <td key={index} className="number">
                  {count}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function isSameMetric(one: Metric, other: Metric): boolean {
  return one.scope === other.scope && one.metric === other.metric;
}

/** An interval, of shares in percent, or that there is none. */
export function useIntervalText(): (figure: Pick<Metric, "metric" | "low" | "high">) => string {
  const { t } = useTranslation("submissions");
  const { value } = useMetric();
  return ({ metric, low, high }) => (low === null || high === null ? t("report.noInterval") : `${value(metric, low).replace(/\s?%$/, "")} – ${value(metric, high).replace(/\s?%$/, "")}`);
}
