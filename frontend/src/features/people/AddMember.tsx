import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useRoleName } from "@/api/benchmark";
import { usePeopleSearch } from "@/api/people";
import { useWrite } from "@/api/queries";
import type { Benchmark, Team } from "@/api/types";
import { Button } from "@/ui/Button";
import { SelectField } from "@/ui/Field";
import { PersonSelect } from "@/ui/PersonSelect";
import { Problem } from "@/ui/Problem";
import { rolesOf, teamRule } from "./roles";

/** Puts someone who is in the benchmark already into a team, with a role there. */
export function AddMember({ team, slug, benchmark, onDone }: { team: Team; slug: string; benchmark: Benchmark | undefined; onDone: () => void }) {
  const { t } = useTranslation("people");
  const roleName = useRoleName(benchmark);
  const grant = useWrite("role_grant");
  const usual = teamRule(benchmark)?.roles ?? [];
  const roles = rolesOf(benchmark).filter((role) => usual.length === 0 || usual.includes(role.code));
  const [person, setPerson] = useState<number>();
  const [role, setRole] = useState(roles[0]?.code ?? "");
  const { people, onSearch } = usePeopleSearch(slug);

  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (person === undefined || role === "") return;
    grant.mutate({ path: { b: slug, id: person }, body: { role, team: team.id } }, { onSuccess: onDone });
  };

  return (
    <form className="form" onSubmit={onSubmit}>
      <PersonSelect
        label={t("teams.who")}
        people={people.filter((one) => one.active && !team.members.some((member) => member.id === one.id))}
        value={person}
        onChange={setPerson}
        onSearch={onSearch}
        testId={`team-${team.id}-who`}
      />
      <SelectField label={t("role")} value={role} onChange={(event) => setRole(event.target.value)} data-testid={`team-${team.id}-role`}>
        {roles.map(({ code }) => (
          <option key={code} value={code}>
            {roleName(code)}
          </option>
        ))}
      </SelectField>
      {grant.error && <Problem error={grant.error} />}
      <div className="row-actions">
        <Button type="submit" small look="primary" disabled={person === undefined || role === ""} busy={grant.isPending} data-testid={`team-${team.id}-add-save`}>
          {t("teams.add")}
        </Button>
        <Button small onClick={onDone}>
          {t("ui:cancel")}
        </Button>
      </div>
    </form>
  );
}
