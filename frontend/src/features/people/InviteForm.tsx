import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { inProtocol, useRoleName } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import { useMay, useMe } from "@/api/session";
import type { Benchmark } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { CopyOnce } from "@/ui/CopyOnce";
import { SelectField, TextField } from "@/ui/Field";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { rolesOf, teamRule, useCapabilities } from "./roles";
import styles from "./people.module.css";

const OUTSIDER = "outsider";

/** Makes an invitation: what it gives, and the link that works once. */
export function InviteForm({ slug, benchmark, team: preset, onDone }: { slug: string; benchmark: Benchmark; team: number | null; onDone: () => void }) {
  const { t } = useTranslation("people");
  const may = useMay(slug);
  const roleName = useRoleName(benchmark);
  const capabilities = useCapabilities();
  const format = useFormat();
  const me = useMe();
  const all = useRead("team_list", { path: { b: slug } }, { enabled: may("team_list") }).data ?? [];
  // A team's lead invites into that team alone, with the roles its members get.
  const asLead = !may("role_grant");
  const teams = asLead ? all.filter((one) => one.lead?.id === me.id) : all;
  const create = useWrite("invitation_create");
  const usual = teamRule(benchmark)?.roles ?? [];
  const [roles, setRoles] = useState<readonly string[]>(preset === null && !asLead ? [] : usual);
  const [picked, setTeam] = useState(preset === null ? "" : String(preset));
  const team = picked === "" && asLead ? String(teams[0]?.id ?? "") : picked;
  // Where the protocol lets people outside the team submit predictions; they have no other role.
  const takesOutsiders = !asLead && ["invited", "open"].includes(String(inProtocol(benchmark.protocol.content, "publication", "sign_up")));
  const [lead, setLead] = useState(false);
  const [note, setNote] = useState("");
  const [tried, setTried] = useState(false);
  const chosen = teams.find((one) => String(one.id) === team);

  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (roles.length === 0) return;
    create.mutate(
      { path: { b: slug }, body: { roles: [...roles], team: team === "" ? null : Number(team), lead: team !== "" && lead, note: note.trim() } },
      {
      },
    );
  };

  if (create.data) {
    const { token, expires_at: expires } = create.data;
    return (
      <section className={`card form ${styles.peopleForm}`}>
        <h2>{t("invite.made")}</h2>
        {token === null ? (
          <Notice tone="warn">{t("invite.replayed")}</Notice>
        ) : (
          <CopyOnce label={t("invite.link")} value={`${window.location.origin}/join#${token}`} hint={t("invite.once", { until: format.exact(expires) })} testId="invitation-link" />
        )}
        <div className="row-actions">
          <Button
            onClick={() => {
              create.reset();
              setNote("");
              setTried(false);
            }}
            data-testid="invite-another"
          >
            {t("invite.another")}
          </Button>
          <Button onClick={onDone} data-testid="invite-done">
            {t("done")}
          </Button>
        </div>
      </section>
    );
  }
  return (
    <form className={`card form ${styles.peopleForm}`} onSubmit={onSubmit} noValidate>
      <h2>{t("invite.title")}</h2>
      <fieldset className={styles.roles}>
        <legend>{t("roles")}</legend>
        {rolesOf(benchmark).filter((role) => !asLead || usual.includes(role.code)).map((role) => (
          <label key={role.code} className={styles.role}>
            <input
              type="checkbox"
              checked={roles.includes(role.code)}
              onChange={(event) => setRoles(event.target.checked ? [...roles.filter((one) => one !== OUTSIDER), role.code] : roles.filter((one) => one !== role.code))}
              data-testid={`role-${role.code}`}
            />
            <b>{roleName(role.code)}</b>
            <span className="dim">{capabilities(role)}</span>
          </label>
        ))}
        {takesOutsiders && team === "" && <OutsiderChoice checked={roles.includes(OUTSIDER)} onChange={(checked) => setRoles(checked ? [OUTSIDER] : [])} name={roleName(OUTSIDER)} />}
        {tried && roles.length === 0 && <p className="wrong">{t("rolesMissing")}</p>}
      </fieldset>
      <div className="form-row">
        {teams.length > 0 && (
          <SelectField label={t("team")} value={team} onChange={(event) => setTeam(event.target.value)} data-testid="invite-team">
            {!asLead && <option value="">{t("noTeam")}</option>}
            {teams.map((one) => (
              <option key={one.id} value={one.id} disabled={one.size_maximum !== null && one.members.length >= one.size_maximum}>
                {one.size_maximum === null ? one.name : t("teams.option", { name: one.name, count: one.members.length, maximum: one.size_maximum })}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label={t("invite.note")}
          hint={t("invite.noteHint")}
          value={note}
          maxLength={120}
          onChange={(event) => setNote(event.target.value)}
          data-testid="invite-note"
        />
      </div>
      {!asLead && chosen?.lead === null && (
        <label className="check">
          <input type="checkbox" checked={lead} onChange={(event) => setLead(event.target.checked)} data-testid="invite-lead" /> {t("invite.asLead")}
        </label>
      )}
      {create.error && <Problem error={create.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={create.isPending} data-testid="make-invitation">
          {t("invite.make")}
        </Button>
        <Button onClick={onDone}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}

function OutsiderChoice({ checked, onChange, name }: { checked: boolean; onChange: (checked: boolean) => void; name: string }) {
  const { t } = useTranslation("people");
  return (
    <label className={styles.role}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} data-testid="role-outsider" />
      <b>{name}</b>
      <span className="dim">{t("invite.outsider")}</span>
    </label>
  );
}
