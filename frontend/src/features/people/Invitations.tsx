import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { useBenchmark, useRoleName, useSlug } from "@/api/benchmark";
import { useList, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Benchmark, Invitation } from "@/api/types";
import { Button } from "@/ui/Button";
import { Chip, type Tone } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { PagedList } from "@/ui/PagedList";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { InviteForm } from "./InviteForm";
import { PeoplePage } from "./PeoplePage";
import styles from "./people.module.css";

const TONES: Readonly<Record<Invitation["state"], Tone | undefined>> = { open: "accent", used: "good", expired: undefined, revoked: undefined };

export function Invitations() {
  const { t } = useTranslation("people");
  const slug = useSlug();
  const may = useMay(slug);
  const benchmark = useBenchmark(slug).data;
  const [search, setSearch] = useSearchParams();
  const list = useList("invitation_list", { path: { b: slug } });
  const making = search.has("new") && may("invitation_create");
  return (
    <PeoplePage
      actions={
        may("invitation_create") &&
        !making && (
          <Button look="primary" onClick={() => setSearch({ new: "1" })} data-testid="new-invitation">
            {t("invite.open")}
          </Button>
        )
      }
    >
      {making && benchmark && <InviteForm slug={slug} benchmark={benchmark} team={Number(search.get("team")) || null} onDone={() => setSearch({}, { replace: true })} />}
      <PagedList of={list} empty={<Empty title={t("invite.none.title")}>{t("invite.none.text")}</Empty>}>
        {(rows) => (
          <ul className={styles.people} data-testid="invitations">
            {rows.map((invitation) => (
              <InvitationLine key={invitation.id} invitation={invitation} slug={slug} benchmark={benchmark} />
            ))}
          </ul>
        )}
      </PagedList>
    </PeoplePage>
  );
}

function InvitationLine({ invitation, slug, benchmark }: { invitation: Invitation; slug: string; benchmark: Benchmark | undefined }) {
  const { t } = useTranslation("people");
  const may = useMay(slug);
  const roleName = useRoleName(benchmark);
  const revoke = useWrite("invitation_revoke");
  const [asking, setAsking] = useState(false);
  const { state, used_by: usedBy } = invitation;
  return (
    <li className={styles.person} data-testid={`invitation-${invitation.id}`}>
      <div className={styles.personName}>
        <b>{invitation.note === "" ? t("invite.noNote") : invitation.note}</b>
        <span className="tiny">
          {invitation.invited_by.name} · <Time at={invitation.created_at} />
        </span>
      </div>
      <div className="chips">
        {invitation.roles.map((role) => (
          <Chip key={role}>{roleName(role)}</Chip>
        ))}
        {invitation.team && <Chip>{invitation.lead ? t("invite.leads", { team: invitation.team.name }) : invitation.team.name}</Chip>}
      </div>
      <div className={styles.personFacts}>
        <Chip tone={TONES[state]}>{t(`invite.state.${state}`)}</Chip>
        {state === "open" && (
          <span className="tiny">
            <Time at={invitation.expires_at} sentence={(time) => t("invite.until", { time })} />
          </span>
        )}
        {usedBy && (may("person_show") ? <Link to={`/b/${slug}/people/${usedBy.id}`}>{usedBy.name}</Link> : <span>{usedBy.name}</span>)}
        {state === "open" && may("invitation_revoke") && !asking && (
          <Button small look="danger" onClick={() => setAsking(true)} data-testid={`revoke-${invitation.id}`}>
            {t("invite.revoke")}
          </Button>
        )}
        {asking && state === "open" && (
          <>
            <Button
              small
              look="danger"
              autoFocus
              busy={revoke.isPending}
              onClick={() => revoke.mutate({ path: { id: invitation.id } })}
              data-testid={`revoke-${invitation.id}-confirm`}
            >
              {t("invite.revokeNow")}
            </Button>
            <Button small onClick={() => setAsking(false)}>
              {t("ui:cancel")}
            </Button>
          </>
        )}
      </div>
      {revoke.error && <Problem error={revoke.error} />}
    </li>
  );
}
