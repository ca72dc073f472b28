/** Metrics with their intervals: of a whole file, or of each member of a breakdown. */
import { useTranslation } from "react-i18next";
import { useBenchmark } from "@/api/benchmark";
import { useMay } from "@/api/session";
import type { Figure, SubmissionReport } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { MetricTable, useIntervalText } from "@/run/MetricTable";
import { useMetric } from "@/run/metrics";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
import styles from "./submissions.module.css";

function FigureText({ of }: { of: Figure | undefined }) {
  const metric = useMetric();
  const interval = useIntervalText();
  if (of?.value == null) return <span className="faint">—</span>;
  return (
    <>
      <b data-testid={`figure-${of.scope}-${of.metric}`} data-value={of.value}>
        {metric.value(of.metric, of.value)}
      </b>{" "}
      <span className={`tiny ${styles.submissionInterval}`}>{interval(of)}</span>
    </>
  );
}

/** A report's own figures, a direction a row. */
export function Figures({ of }: { of: SubmissionReport }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  const scopes = [...new Set(of.figures.map(({ scope }) => scope))];
  const { name } = useMetric();
  const metrics = [...new Set(of.figures.map(({ metric }) => metric))];
  return (
    <WideTable label={t("report.figures")}>
      <table className="table" data-testid="submission-figures">
        <TableHead
          columns={[
            t("report.about"),
            ...metrics.map((metric) => ({ number: name(metric) })),
            { number: t("report.n") },
          ]}
        />
        <tbody>
          {scopes.map((scope) => {
            const figures = of.figures.filter((figure) => figure.scope === scope);
            return (
              <tr key={scope}>
                <th scope="row">{t(`scope.${scope === "" ? "all" : scope}`, { defaultValue: scope })}</th>
                {metrics.map((metric) => (
                  <td key={metric} className="number">
                    <FigureText of={figures.find((figure) => figure.metric === metric)} />
                  </td>
                ))}
                <td className="number">{format.number(figures[0]?.n ?? 0)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </WideTable>
  );
}

/** One table for each way of breaking a report down. */
export function Breakdowns({ of, slug }: { of: SubmissionReport; slug: string }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  const localised = useLocalised();
  const benchmark = useBenchmark(slug, { enabled: useMay(slug)("benchmark_show") });
  const groupName = (by: string, group: string) => {
    if (by === "distance") return t(`distance.${group}`, { defaultValue: group });
    const category = by === "category" ? benchmark.data?.categories.find((one) => one.slug === group) : undefined;
    return category === undefined ? group : localised(category.name);
  };
  const title = (by: string) => t([`by.${by}`, `samples:tags.${by}`], { defaultValue: by });
  return of.breakdowns.map(({ by, groups }) => (
    <section key={by} aria-labelledby={`by-${by}`} data-testid={`breakdown-${by}`}>
      <h2 id={`by-${by}`}>{title(by)}</h2>
      <MetricTable
        label={title(by)}
        headings={[t("report.group"), t("report.n")]}
        rows={groups.map(({ group, figures, n }) => ({ key: group, head: groupName(by, group), figures, counts: [format.number(n)] }))}
        show={(figure) => <FigureText of={figure} />}
      />
    </section>
  ));
}
