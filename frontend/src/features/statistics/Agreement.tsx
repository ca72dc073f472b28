/** Agreement of people who judged the same item: observed, and by measures that correct for chance. */
import { useTranslation } from "react-i18next";
import type { Answer } from "@/api/request";
import { useFormat } from "@/i18n/format";
import { Gap } from "@/ui/Gap";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
import { MeasureValue } from "./MeasureValue";
import { methodText } from "./methodText";

type Row = Answer<"quality_show">["agreement"][number];

export function Agreement({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation("statistics");
  const format = useFormat();
  const names = [...new Set(rows.flatMap((row) => row.measures.map((measure) => measure.name)))];
  const methods = [...new Set(rows.flatMap((row) => row.measures.filter((one) => one.low !== null).map((one) => one.method)))];
  return (
    <>
      <WideTable label={t("agreement.title")}>
        <table className="table" data-testid="agreement">
          <TableHead
            columns={[
              t("column.between"),
              t("column.kind"),
              { number: t("column.items") },
              { number: t("column.observed") },
              ...names.map((name) => ({ number: t(`measure.${name}`) })),
            ]}
          />
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.kind}-${row.between}`}>
                <th scope="row">{t(`between.${row.between}`)}</th>
                <td>{t(`ui:kind.${row.kind}`)}</td>
                <td className="number">{format.number(row.items)}</td>
                <td className="number">{row.observed === null ? "—" : format.percent(row.observed)}</td>
                {names.map((name) => (
                  <td key={name} className="number">
                    <MeasureValue measure={row.measures.find((one) => one.name === name)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      <p className="tiny">
        {t("agreement.scale")}<Gap />{format.sentences(methods.map((method) => methodText(t, method)))}
      </p>
    </>
  );
}
