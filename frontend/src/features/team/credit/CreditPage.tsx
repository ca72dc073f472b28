/** Who wrote how many accepted items in which team, and who meets the protocol's conditions of authorship. */
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Credit } from "@/api/types";
import { CsvLink } from "@/ui/CsvLink";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/Field";
import { Loaded } from "@/ui/Loaded";
import { useFilters, type Filters } from "@/ui/useFilters";
import { TeamPage } from "../TeamPage";
import { CreditTable } from "./CreditTable";
import styles from "../team.module.css";

export function CreditPage() {
  const { t } = useTranslation("team");
  const slug = useSlug();
  const may = useMay(slug);
  const filters = useFilters();
  const credit = useRead("credit_list", { path: { b: slug } });
  return (
    <TeamPage
      title={t("credit.title")}
      lead={t("credit.lead")}
      actions={may("credit_file") && <CsvLink slug={slug} file="credit" />}
    >
      <Loaded of={credit}>{(data) => <CreditList credit={data} filters={filters} />}</Loaded>
    </TeamPage>
  );
}

function CreditList({ credit, filters }: { credit: Credit; filters: Filters }) {
  const { t } = useTranslation("team");
  const { validated_items: required, teams_to_lead: toLead, imported, results } = credit;
  const teams = new Map(results.flatMap((row) => row.teams.map(({ team }) => [team.id, team.name] as const)));
  const team = filters.oneOf("team", [...teams.keys()]);
  const shown = team === undefined ? results : results.filter((row) => row.teams.some((one) => one.team.id === team));
  const conditions = required === null ? (toLead === null ? "none" : "leading") : toLead === null ? "items" : "either";
  return (
    <>
      <p className={styles.conditions} data-testid="conditions">
        {t(`credit.conditions.${conditions}`, { count: required ?? 0, teams: toLead ?? 0 })}
      </p>
      {teams.size > 1 && (
        <div className={styles.selects}>
          <SelectField label={t("team")} value={team ?? ""} onChange={(event) => filters.set({ team: event.target.value })} data-testid="filter-team">
            <option value="">{t("credit.allTeams")}</option>
            {[...teams].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      {shown.length === 0 ? (
        <Empty title={t("credit.empty.title")}>{t("credit.empty.text")}</Empty>
      ) : (
        <CreditTable rows={shown} required={required} hasConditions={conditions !== "none"} />
      )}
      {imported > 0 && (
        <p className="dim" data-testid="imported">
          {t("credit.imported", { count: imported })}
        </p>
      )}
    </>
  );
}
