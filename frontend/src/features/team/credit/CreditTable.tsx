import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { CreditRow } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Chip } from "@/ui/Chip";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
import styles from "../team.module.css";

interface CreditTableProps {
  rows: readonly CreditRow[];
  /** Accepted items that suffice for authorship; null if the protocol names no number. */
  required: number | null;
  hasConditions: boolean;
}

/** A line for each person and team; a person's total and authorship stand beside the first. */
export function CreditTable({ rows, required, hasConditions }: CreditTableProps) {
  const { t } = useTranslation("team");
  const columns = [t("credit.person"), t("team"), { number: t("credit.inTeam") }, { number: t("credit.total") }, ...(hasConditions ? [t("credit.authorship")] : [])];
  return (
    <WideTable label={t("credit.title")}>
      <table className={`table ${styles.credit}`} data-testid="credit">
        <TableHead columns={columns} />
        <tbody>
          {rows.map((row) => (
            <Fragment key={row.person.id}>
              {row.teams.map((one, index) => (
                <tr key={one.team.id} data-testid={index === 0 ? `credit-${row.person.name}` : undefined}>
                  {index === 0 && (
                    <th scope="row" rowSpan={row.teams.length}>
                      {row.person.name}
                    </th>
                  )}
                  <TeamCells one={one} />
                  {index === 0 && <TotalCells row={row} required={required} hasConditions={hasConditions} />}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function TeamCells({ one }: { one: CreditRow["teams"][number] }) {
  const { t } = useTranslation("team");
  const format = useFormat();
  return (
    <>
      <td>
        <bdi>{one.team.name}</bdi> {one.leads && <Chip>{t("credit.leads")}</Chip>}
        {!one.member && !one.leads && <Chip>{t("credit.noMember")}</Chip>}
      </td>
      <td className="number">{format.number(one.validated)}</td>
    </>
  );
}

function TotalCells({ row, required, hasConditions }: { row: CreditRow } & Pick<CreditTableProps, "required" | "hasConditions">) {
  const { t } = useTranslation("team");
  const format = useFormat();
  const span = row.teams.length;
  return (
    <>
      <td className="number" rowSpan={span}>
        {format.number(row.validated)}
        {required !== null && <span className="dim"> / {format.number(required)}</span>}
      </td>
      {hasConditions && (
        <td rowSpan={span}>
          {row.earned ? <Chip tone="good">{t("credit.earned")}</Chip> : required !== null && t("credit.missing", { count: required - row.validated })}
        </td>
      )}
    </>
  );
}
