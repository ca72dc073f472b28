/** Metrics with their intervals: of a whole file, or of each member of a breakdown. */
import { useTranslation } from "react-i18next";
import { useBenchmark } from "@/api/benchmark";
import type { Figure, SubmissionReport } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { WideTable } from "@/ui/WideTable";

const nameOf = ({ scope, metric }: Figure) => `${scope} ${metric}`;

export function FigureText({ of }: { of: Figure | undefined }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  if (of?.value == null) return <span className="faint">—</span>;
  const { value, low, high } = of;
  return (
    <>
      <b data-testid={`figure-${of.scope}-${of.metric}`} data-value={value}>
        {format.percent(value, 1, 1)}
      </b>{" "}
      <span className="tiny submission-interval">
        {low === null || high === null ? t("report.noInterval") : `${format.number(low * 100, 1, 1)} – ${format.number(high * 100, 1, 1)}`}
      </span>
    </>
  );
}

/** A report's own figures, a direction a row. */
export function Figures({ of }: { of: SubmissionReport }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  const scopes = [...new Set(of.figures.map(({ scope }) => scope))];
  const metrics = [...new Set(of.figures.map(({ metric }) => metric))];
  return (
    <WideTable label={t("report.figures")}>
      <table className="table" data-testid="submission-figures">
        <thead>
          <tr>
            <th scope="col">{t("report.about")}</th>
            {metrics.map((metric) => (
              <th key={metric} scope="col" className="number">
                {t(`metric.${metric}`, { defaultValue: metric })}
              </th>
            ))}
            <th scope="col" className="number">
              {t("report.n")}
            </th>
          </tr>
        </thead>
        <tbody>
          {scopes.map((scope) => {
            const found = of.figures.filter((figure) => figure.scope === scope);
            return (
              <tr key={scope}>
                <th scope="row">{t(`scope.${scope === "" ? "all" : scope}`, { defaultValue: scope })}</th>
                {metrics.map((metric) => (
                  <td key={metric} className="number">
                    <FigureText of={found.find((figure) => figure.metric === metric)} />
                  </td>
                ))}
                <td className="number">{format.number(found[0]?.n ?? 0)}</td>
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
  const benchmark = useBenchmark(slug);
  const groupOf = (by: string, group: string) => {
    if (by === "distance") return t(`distance.${group}`, { defaultValue: group });
    const category = by === "category" ? benchmark.data?.categories.find((one) => one.slug === group) : undefined;
    return category === undefined ? group : localised(category.name);
  };
  return of.breakdowns.map(({ by, groups }) => {
    const columns = new Map(groups.flatMap(({ figures }) => figures).map((figure) => [nameOf(figure), figure]));
    return (
      <section key={by} aria-labelledby={`by-${by}`} data-testid={`breakdown-${by}`}>
        <h2 id={`by-${by}`}>{t(`by.${by}`, { defaultValue: by })}</h2>
        <WideTable label={t(`by.${by}`, { defaultValue: by })}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t("report.group")}</th>
                {[...columns].map(([name, { scope, metric }]) => (
                  <th key={name} scope="col" className="number">
                    {scope !== "" && <span className="tiny">{t(`scope.${scope}`)} </span>}
                    {t(`metric.${metric}`, { defaultValue: metric })}
                  </th>
                ))}
                <th scope="col" className="number">
                  {t("report.n")}
                </th>
              </tr>
            </thead>
            <tbody>
              {groups.map((group) => (
                <tr key={group.group}>
                  <th scope="row">{groupOf(by, group.group)}</th>
                  {[...columns.keys()].map((name) => (
                    <td key={name} className="number">
                      <FigureText of={group.figures.find((figure) => nameOf(figure) === name)} />
                    </td>
                  ))}
                  <td className="number">{format.number(group.n)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      </section>
    );
  });
}
