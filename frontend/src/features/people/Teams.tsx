import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useBenchmark, useRoleName, useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Benchmark, Team } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { SelectField, TextField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";
import { AddMember } from "./AddMember";
import { NewTeam } from "./NewTeam";
import { PairFacts } from "./PairFacts";
import { PeoplePage } from "./PeoplePage";
import { teamRule } from "./roles";
import styles from "./people.module.css";

export function Teams() {
  const { t } = useTranslation("people");
  const slug = useSlug();
  const may = useMay(slug);
  const benchmark = useBenchmark(slug).data;
  const teams = useRead("team_list", { path: { b: slug } });
  const [making, setMaking] = useState(false);
  const hasTeams = benchmark !== undefined && teamRule(benchmark) !== null;
  return (
    <PeoplePage
      actions={
        may("team_create") &&
        hasTeams &&
        !making && (
          <Button look="primary" onClick={() => setMaking(true)} data-testid="new-team">
            {t("teams.new")}
          </Button>
        )
      }
    >
      {making && benchmark && teams.data && <NewTeam benchmark={benchmark} teams={teams.data} onDone={() => setMaking(false)} />}
      <Loaded of={teams}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t("teams.none.title")}>{hasTeams ? t("teams.none.text") : t("teams.none.protocol")}</Empty>
          ) : (
            <ul className={styles.teams}>
              {rows.map((team) => (
                <TeamCard key={team.id} team={team} slug={slug} benchmark={benchmark} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </PeoplePage>
  );
}

function TeamCard({ team, slug, benchmark }: { team: Team; slug: string; benchmark: Benchmark | undefined }) {
  const { t } = useTranslation("people");
  const may = useMay(slug);
  const roleName = useRoleName(benchmark);
  const update = useWrite("team_update");
  const [doing, setDoing] = useState<"add" | "rename" | "close" | null>(null);
  const full = team.size_maximum !== null && team.members.length >= team.size_maximum;
  const done = () => setDoing(null);
  return (
    <li className={`card ${styles.team}`} data-testid={`team-${team.id}`}>
      <div className={styles.teamHead}>
        <h2>{team.name}</h2>
        {team.size_maximum === null ? (
          <Chip>{t("teams.size", { count: team.members.length })}</Chip>
        ) : (
          <Chip tone={full ? "warn" : undefined}>
            {t(full ? "teams.full" : "teams.of", { count: team.members.length, maximum: team.size_maximum })}
          </Chip>
        )}
      </div>
      {team.pair && <PairFacts pair={team.pair} />}
      {team.members.length === 0 ? (
        <p className="faint">{t("teams.empty")}</p>
      ) : (
        <ul className={styles.teamMembers}>
          {team.members.map((member, i) => (
            <li key={member.id ?? `hidden-${i}`}>
              {member.id !== null && may("person_show") ? (
                <Link to={`/b/${slug}/people/${member.id}`}>{member.name}</Link>
              ) : (
                (member.name ?? t("teams.colleague"))
              )}
              {team.lead !== null && team.lead.id === member.id && <Chip tone="accent">{t("teams.lead")}</Chip>}
              <span className="tiny">{member.roles.map(roleName).join(t("between"))}</span>
            </li>
          ))}
        </ul>
      )}
      {may("team_update") && team.members.length > 0 && (
        <SelectField
          label={t("teams.lead")}
          value={team.lead?.id ?? ""}
          disabled={update.isPending}
          onChange={(event) =>
            update.mutate({ path: { id: team.id }, body: { lead: event.target.value === "" ? null : Number(event.target.value) } })
          }
          data-testid={`team-${team.id}-lead`}
        >
          <option value="">{t("teams.noLead")}</option>
          {team.members.map((member) => (
            <option key={member.id} value={member.id ?? ""}>
              {member.name}
            </option>
          ))}
        </SelectField>
      )}
      {update.error && <Problem error={update.error} />}
      {doing === "add" && <AddMember team={team} slug={slug} benchmark={benchmark} onDone={done} />}
      {doing === "rename" && <RenameTeam team={team} onDone={done} />}
      {doing === "close" && <CloseTeam team={team} onDone={done} />}
      {doing === null && (
        <div className="row-actions">
          {may("role_grant") && may("person_list") && !full && (
            <Button small onClick={() => setDoing("add")} data-testid={`team-${team.id}-add`}>
              {t("teams.add")}
            </Button>
          )}
          {may("invitation_create") && !full && (
            <ButtonLink small to={`/b/${slug}/people/invitations?new=1&team=${team.id}`} data-testid={`team-${team.id}-invite`}>
              {t("invite.open")}
            </ButtonLink>
          )}
          {may("team_update") && (
            <Button small onClick={() => setDoing("rename")} data-testid={`team-${team.id}-rename`}>
              {t("teams.rename")}
            </Button>
          )}
          {may("team_close") && (
            <Button small look="danger" onClick={() => setDoing("close")} data-testid={`team-${team.id}-close`}>
              {t("teams.close")}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

function RenameTeam({ team, onDone }: { team: Team; onDone: () => void }) {
  const { t } = useTranslation("people");
  const update = useWrite("team_update");
  const [name, setName] = useState(team.name);
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === "") return;
        update.mutate({ path: { id: team.id }, body: { name: name.trim() } }, { onSuccess: onDone });
      }}
    >
      <TextField label={t("teams.name")} value={name} maxLength={120} autoFocus required onChange={(event) => setName(event.target.value)} data-testid="team-rename" />
      {update.error && <Problem error={update.error} />}
      <div className="row-actions">
        <Button type="submit" small look="primary" busy={update.isPending}>
          {t("save")}
        </Button>
        <Button small onClick={onDone}>
          {t("ui:cancel")}
        </Button>
      </div>
    </form>
  );
}

function CloseTeam({ team, onDone }: { team: Team; onDone: () => void }) {
  const { t } = useTranslation("people");
  const close = useWrite("team_close");
  return (
    <div className="form" role="group" aria-label={t("teams.close")}>
      <p>{t("teams.closeAsk")}</p>
      {close.error && <Problem error={close.error} />}
      <div className="row-actions">
        <Button
          small
          look="danger"
          autoFocus
          busy={close.isPending}
          onClick={() => close.mutate({ path: { id: team.id } })}
          data-testid={`team-${team.id}-close-confirm`}
        >
          {t("teams.closeNow")}
        </Button>
        <Button small onClick={onDone}>
          {t("ui:cancel")}
        </Button>
      </div>
    </div>
  );
}
