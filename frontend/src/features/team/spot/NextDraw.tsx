/** What a spot check would draw now, and drawing it. */
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import type { SpotChecks } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Problem } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
import styles from "../team.module.css";

interface NextDrawProps {
  checks: Pick<SpotChecks, "percent" | "preview">;
  /** Whether nothing more urgent waits on the page. */
  isFirst: boolean;
  draw: { error: ApiError | null; isPending: boolean };
  onDraw: () => void;
}

export function NextDraw({ checks, isFirst, draw, onDraw }: NextDrawProps) {
  const { t } = useTranslation("team");
  const format = useFormat();
  const { percent, preview } = checks;
  const size = preview.reduce((sum, row) => sum + row.size, 0);
  return (
    <section className={`card ${styles.nextDraw}`} aria-labelledby="next-draw" data-testid="next-draw">
      <h2 id="next-draw">{t("spot.next.title")}</h2>
      <p className="dim">{preview.length === 0 ? t("spot.next.nothing") : t("spot.next.text", { percent: format.percent(percent / 100, 0) })}</p>
      {preview.length > 0 && (
        <WideTable label={t("spot.next.population")}>
          <table className={`table ${styles.drawTable}`} data-testid="preview">
            <TableHead columns={[t("team"), { number: t("spot.next.population") }, { number: t("spot.next.size") }]} />
            <tbody>
              {preview.map(({ team, population, size: drawn }) => (
                <tr key={team.id}>
                  <th scope="row">{team.name}</th>
                  <td className="number">{format.number(population)}</td>
                  <td className="number">{format.number(drawn)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
      {draw.error && <Problem error={draw.error} />}
      {preview.length > 0 && (
        <div className="row-actions">
          <Button look={isFirst ? "primary" : undefined} keys="d" busy={draw.isPending} onClick={onDraw} data-testid="draw">
            {t("spot.next.draw", { count: size })}
          </Button>
        </div>
      )}
    </section>
  );
}
