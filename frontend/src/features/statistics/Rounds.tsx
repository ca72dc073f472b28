/** The items that passed each round of panels. */
import { useTranslation } from "react-i18next";
import type { Answer } from "@/api/request";
import { useFormat } from "@/i18n/format";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
import { Rate, scaleFrom } from "./Rate";

type Row = Answer<"quality_show">["rounds"][number];

export function Rounds({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation("statistics");
  const format = useFormat();
  const from = scaleFrom(rows);
  return (
    <WideTable label={t("rounds.title")}>
      <table className="table" data-testid="rounds">
        <TableHead columns={[t("column.kind"), { number: t("rounds.round") }, { number: t("rounds.passed") }, t("rounds.rate")]} />
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.kind}-${row.round}`}>
              <th scope="row">{t(`ui:kind.${row.kind}`)}</th>
              <td className="number">{format.number(row.round)}</td>
              <td className="number">{t("rounds.of", { passed: row.passed, judged: row.judged })}</td>
              <td>
                <Rate rate={row.rate} interval={row.interval} from={from} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
