/** Agreement of people who boxed the same pictures independently: in all, by person and by package. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Answer } from "@/api/request";
import { useFormat } from "@/i18n/format";
import { Chip } from "@/ui/Chip";
import { Gap } from "@/ui/Gap";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
import { MeasureValue } from "./MeasureValue";
import { methodText } from "./methodText";

type Row = Answer<"quality_show">["doubles"][number];
type Figures = Pick<Row, "pictures" | "boxes" | "measures">;

interface Line extends Figures {
  readonly key: string;
  readonly name: ReactNode;
}

export function Doubles({ row, slug, isAll }: { row: Row; slug: string; isAll: boolean }) {
  const { t } = useTranslation("statistics");
  const format = useFormat();
  const names = row.measures.map((measure) => measure.name);
  const methods = [...new Set(row.measures.filter((one) => one.low !== null).map((one) => one.method))];
  const lines: Line[] = [
    ...(isAll ? [{ ...row, key: "all", name: <strong>{t("doubles.all")}</strong> }] : []),
    ...row.people.map((one, at) => ({
      ...one,
      key: `person-${one.person?.id ?? `hidden-${at}`}`,
      name: (
        <>
          {one.person?.name ?? t("part.annotator")} {one.mine && <Chip tone="accent">{t("me")}</Chip>}
        </>
      ),
    })),
    ...row.packages.map((one) => ({ ...one, key: `package-${one.id}`, name: <Link to={`/b/${slug}/packages/${one.id}`}>{one.label}</Link> })),
  ];
  return (
    <>
      <WideTable label={t("doubles.title", { kind: t(`ui:kind.${row.kind}`) })}>
        <table className="table" data-testid={`doubles-${row.kind}`}>
          <TableHead
            columns={[
              t("doubles.of"),
              { number: t("doubles.pictures") },
              { number: t("doubles.boxes") },
              ...names.map((name) => ({ number: t(`measure.${name}`) })),
            ]}
          />
          <tbody>
            {lines.map((line) => (
              <tr key={line.key}>
                <th scope="row">{line.name}</th>
                <td className="number">{format.number(line.pictures)}</td>
                <td className="number">{format.number(line.boxes)}</td>
                {names.map((name) => (
                  <td key={name} className="number">
                    <MeasureValue measure={line.measures.find((one) => one.name === name)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      <p className="tiny">
        {t("doubles.scale")}<Gap />{format.sentences(methods.map((method) => methodText(t, method)))}
      </p>
    </>
  );
}
