/** The headline figure of each system in each setting; colour only repeats what the numbers say. */
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import type { SetScores } from "@/api/types";
import { useMannerWords } from "@/run/Manner";
import { WideTable } from "@/ui/WideTable";
import { useMetric } from "@/run/metrics";
import styles from "./sets.module.css";

export function Matrix({ rows }: { rows: readonly SetScores[] }) {
  const { t } = useTranslation("sets");
  const slug = useSlug();
  const words = useMannerWords();
  const metric = useMetric();
  const cells = new Map<string, SetScores>();
  // Of several runs in one setting the newest counts.
  for (const row of [...rows].sort((a, b) => a.run - b.run)) cells.set(`${systemOf(row)}\n${words(row.manner)}`, row);
  const systems = [...new Map(rows.map((row) => [systemOf(row), row.system])).entries()];
  const settings = [...new Set(rows.map((row) => words(row.manner)))].sort();
  const [headline] = rows.flatMap((row) => row.metrics.slice(0, 1));
  if (headline === undefined || systems.length < 2 || settings.length < 2) return null;
  const name = metric.name(headline.metric);
  return (
    <section aria-labelledby="set-matrix" className={styles.matrix}>
      <h3 id="set-matrix">{t("matrix.title", { metric: name })}</h3>
      <WideTable label={t("matrix.title", { metric: name })}>
        <table className={`table ${styles.table}`} data-testid="set-matrix-table">
          <thead>
            <tr>
              <th scope="col">{t("start.setting")}</th>
              {systems.map(([key, system]) => (
                <th key={key} scope="col" className="number">
                  {system.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {settings.map((setting) => (
              <tr key={setting}>
                <th scope="row" className={styles.inMatrix}>
                  {setting}
                </th>
                {systems.map(([key]) => {
                  const row = cells.get(`${key}\n${setting}`);
                  const figure = row?.metrics[0];
                  if (row === undefined || figure?.value == null) return <td key={key} className="number faint">–</td>;
                  return (
                    <td key={key} className={`number ${styles.heat}`} style={{ "--share": metric.isShare(figure.metric) ? figure.value : 0 } as CSSProperties}>
                      <Link to={`/b/${slug}/runs/${row.run}`}>{metric.value(figure.metric, figure.value)}</Link>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}

function systemOf({ system }: SetScores): string {
  return `${system.slug} ${system.revision}`;
}
