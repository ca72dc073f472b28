import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useList, useWrite } from "@/api/queries";
import type { Benchmark, Team } from "@/api/types";
import { Button } from "@/ui/Button";
import { SelectField } from "@/ui/Field";
import { PickOne } from "@/ui/kit/PickOne";
import { Problem } from "@/ui/Problem";
import { useSettled } from "@/ui/useSettled";
import { PEOPLE_CHANGED } from "./changed";
import { rolesOf, teamRule, useRoleName } from "./roles";

/** Puts somebody who is in the benchmark already into a team, with a role there. */
export function AddMember({ team, slug, benchmark, onDone }: { team: Team; slug: string; benchmark: Benchmark | undefined; onDone: () => void }) {
  const { t } = useTranslation("people");
  const roleName = useRoleName(benchmark);
  const grant = useWrite("role_grant", PEOPLE_CHANGED);
  const usual = teamRule(benchmark)?.roles ?? [];
  const roles = rolesOf(benchmark).filter((role) => usual.length === 0 || usual.includes(role.code));
  const [person, setPerson] = useState<string | null>(null);
  const [role, setRole] = useState(roles[0]?.code ?? "");
  const [words, setWords] = useState("");
  const settled = useSettled(words.trim());
  const found = useList("person_list", { path: { b: slug }, query: { search: settled === "" ? undefined : settled } });

  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (person === null || role === "") return;
    grant.mutate(
      { path: { b: slug, id: Number(person) }, body: { role, team: team.id } },
      {
        onSuccess: onDone,
      },
    );
  };

  return (
    <form className="form" onSubmit={onSubmit}>
      <PickOne
        label={t("teams.who")}
        value={person}
        onChange={setPerson}
        onSearch={setWords}
        options={found.rows
          .filter((one) => one.active && !team.members.some((member) => member.id === one.id))
          .map((one) => ({ value: String(one.id), label: `${one.name} (${one.username})` }))}
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
        <Button type="submit" small look="primary" disabled={person === null || role === ""} busy={grant.isPending} data-testid={`team-${team.id}-add-save`}>
          {t("teams.add")}
        </Button>
        <Button small onClick={onDone}>
          {t("ui:cancel")}
        </Button>
      </div>
    </form>
  );
}
