import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useRoleName } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Benchmark, Person } from "@/api/types";
import { Button } from "@/ui/Button";
import { SelectField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { rolesOf, useCapabilities } from "./roles";
import styles from "./people.module.css";

/** Gives someone one more role, for the whole benchmark or for one team. */
export function GrantForm({
  person,
  slug,
  benchmark,
  onDone,
}: {
  person: Pick<Person, "id" | "name" | "grants">;
  slug: string;
  benchmark: Benchmark | undefined;
  onDone: () => void;
}) {
  const { t } = useTranslation("people");
  const may = useMay(slug);
  const roleName = useRoleName(benchmark);
  const capabilities = useCapabilities();
  const teams = useRead("team_list", { path: { b: slug } }, { enabled: may("team_list") }).data ?? [];
  const grant = useWrite("role_grant");
  const roles = rolesOf(benchmark);
  const [role, setRole] = useState("");
  const [team, setTeam] = useState("");
  const chosen = roles.find((one) => one.code === role);

  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (role === "") return;
    grant.mutate(
      { path: { b: slug, id: person.id }, body: { role, team: team === "" ? null : Number(team) } },
      {
        onSuccess: () => {
          toasts.show(t("grant.done", { name: person.name, role: roleName(role) }));
          onDone();
        },
      },
    );
  };

  return (
    <form className={`form ${styles.grantForm}`} onSubmit={onSubmit} aria-label={t("grant.openFor", { name: person.name })}>
      <div className="form-row">
        <SelectField
          label={t("role")}
          autoFocus
          value={role}
          onChange={(event) => setRole(event.target.value)}
          hint={chosen && capabilities(chosen)}
          data-testid="grant-role"
        >
          <option value="">{t("choose")}</option>
          {roles.map(({ code }) => (
            <option key={code} value={code} disabled={team === "" && person.grants.some((one) => one.role === code && one.team === null)}>
              {roleName(code)}
            </option>
          ))}
        </SelectField>
        {teams.length > 0 && (
          <SelectField label={t("team")} value={team} onChange={(event) => setTeam(event.target.value)} data-testid="grant-team">
            <option value="">{t("noTeam")}</option>
            {teams.map((one) => (
              <option key={one.id} value={one.id} disabled={one.size_maximum !== null && one.members.length >= one.size_maximum && !one.members.some((member) => member.id === person.id)}>
                {one.name}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      {grant.error && <Problem error={grant.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" disabled={role === ""} busy={grant.isPending} data-testid="grant-save">
          {t("grant.save")}
        </Button>
        <Button onClick={onDone}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}
