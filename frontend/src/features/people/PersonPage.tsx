import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { useBenchmark, useReasonName, useRoleName, useSlug } from "@/api/benchmark";
import type { OperationId } from "@/api/operations";
import { useList, useRead, useWrite } from "@/api/queries";
import { useMay, useMe } from "@/api/session";
import type { Benchmark, PersonDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Loaded } from "@/ui/Loaded";
import { AuditTimeline } from "@/ui/AuditTimeline";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { CopyOnce } from "@/ui/CopyOnce";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { GrantForm } from "./GrantForm";
import { RoleChips } from "./RoleChips";
import styles from "./people.module.css";

/** One person in this benchmark: what they may do and since when, what they agreed to, what they did. */
export function PersonPage() {
  const { t } = useTranslation("people");
  const slug = useSlug();
  const id = Number(useParams().id);
  const benchmark = useBenchmark(slug).data;
  const person = useRead("person_show", { path: { b: slug, id } });
  return (
    <Page
      title={person.data?.name ?? t("title")}
      lead={person.data && <span className="mono">{person.data.username}</span>}
      actions={<ButtonLink to={`/b/${slug}/people`}>{t("all")}</ButtonLink>}
    >
      <Loaded of={person}>{(data) => <Person person={data} slug={slug} benchmark={benchmark} />}</Loaded>
    </Page>
  );
}

function Person({ person, slug, benchmark }: { person: PersonDetail; slug: string; benchmark: Benchmark | undefined }) {
  const { t } = useTranslation("people");
  const may = useMay(slug);
  const isMe = useMe().id === person.id;
  const offers = (operation: OperationId) => person.available_actions.includes(operation);
  const [granting, setGranting] = useState(false);
  return (
    <div className={styles.personPage}>
      <div>
        <section className="card" aria-labelledby="roles">
          <h2 id="roles">{t("roles")}</h2>
          <div className="chips" data-testid="person-roles">
            {person.grants.length === 0 && <span className="faint">{t("noRoles")}</span>}
            <RoleChips grants={person.grants} benchmark={benchmark} mayEnd={offers("role_end")} />
            {offers("role_grant") && !granting && (
              <button type="button" className={`chip ${styles.chipAdd}`} onClick={() => setGranting(true)} data-testid="grant">
                {t("grant.open")}
              </button>
            )}
          </div>
          {isMe && <p className="tiny">{t("ownRoles")}</p>}
          {granting && <GrantForm person={person} slug={slug} benchmark={benchmark} onDone={() => setGranting(false)} />}
        </section>
        <RoleHistory person={person} benchmark={benchmark} />
        {may("audit_list") && <Did person={person} slug={slug} />}
      </div>
      <div>
        <section className="card" aria-labelledby="facts">
          <h2 id="facts">{t("account")}</h2>
          <dl className="facts">
            <dt>{t("state")}</dt>
            <dd>{person.active ? <Chip tone="good">{t("open")}</Chip> : <Chip tone="bad">{t("closed")}</Chip>}</dd>
            <dt>{t("lastSeen")}</dt>
            <dd>{person.last_seen === null ? t("never") : <Time at={person.last_seen} />}</dd>
          </dl>
          {offers("password_link") && <PasswordLink id={person.id} slug={slug} />}
          <CloseAccount person={person} />
        </section>
        <section className="card" aria-labelledby="consents">
          <h2 id="consents">{t("consents.title")}</h2>
          {person.consents.length === 0 ? (
            <p className="faint">{t("consents.none")}</p>
          ) : (
            <ul className={styles.plainList}>
              {person.consents.map((consent) => (
                <li key={consent.at}>
                  <Chip tone={consent.given ? "good" : "warn"}>{t(consent.given ? "consents.given" : "consents.withdrawn")}</Chip>{" "}
                  {t("consents.version", { version: consent.text_version })} · <Time at={consent.at} />
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </div>
  );
}

function RoleHistory({ person, benchmark }: { person: PersonDetail; benchmark: Benchmark | undefined }) {
  const { t } = useTranslation("people");
  const roleName = useRoleName(benchmark);
  if (person.history.length === 0) return null;
  return (
    <section className="card" aria-labelledby="history">
      <h2 id="history">{t("history.title")}</h2>
      <ul className={styles.plainList} data-testid="role-history">
        {person.history.map((one) => (
          <li key={`${one.role}-${one.team?.id ?? 0}-${one.granted_at}`}>
            <b>{one.team === null ? roleName(one.role) : `${roleName(one.role)} · ${one.team.name}`}</b>
            <p className="dim">
              <Time at={one.granted_at} sentence={(time) => t("history.from", { time })} />
              {one.granted_by && ` (${one.granted_by.name})`}
              {one.ended_at !== null && (
                <>
                  {" · "}
                  <Time at={one.ended_at} sentence={(time) => t("history.to", { time })} />
                  {one.ended_by && ` (${one.ended_by.name})`}
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Did({ person, slug }: { person: PersonDetail; slug: string }) {
  const { t } = useTranslation("people");
  const list = useList("audit_list", { path: { b: slug }, query: { actor_id: person.id, page_size: 20 } });
  const reasonName = useReasonName(slug);
  return (
    <section className="card" aria-labelledby="did">
      <h2 id="did">{t("did.title")}</h2>
      <Loaded of={list}>
        {() =>
          list.rows.length === 0 ? (
            <p className="faint">{t("did.none")}</p>
          ) : (
            <>
              <AuditTimeline events={list.rows} slug={slug} reasonName={reasonName} showTarget />
              <Link to={`/b/${slug}/audit?actor_id=${person.id}`} data-testid="all-done">
                {t("did.all")}
              </Link>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function PasswordLink({ id, slug }: { id: number; slug: string }) {
  const { t } = useTranslation("people");
  const format = useFormat();
  const make = useWrite("password_link");
  const link = make.data;
  return (
    <div className={`form ${styles.personAct}`}>
      {link ? (
        link.token === null ? (
          <Notice tone="warn">{t("invite.replayed")}</Notice>
        ) : (
          <CopyOnce label={t("password.link")} value={`${window.location.origin}/password#${link.token}`} hint={t("password.once", { until: format.exact(link.expires_at) })} testId="password-link" />
        )
      ) : (
        <div>
          <Button
            small
            busy={make.isPending}
            onClick={() => make.mutate({ path: { b: slug, id } })}
            data-testid="make-password-link"
          >
            {t("password.make")}
          </Button>
          <p className="tiny">{t("password.hint")}</p>
        </div>
      )}
      {make.error && <Problem error={make.error} />}
    </div>
  );
}

/** The whole account, on every benchmark: for the site's owner. */
function CloseAccount({ person }: { person: PersonDetail }) {
  const { t } = useTranslation("people");
  const close = useWrite("account_close");
  const open = useWrite("account_open");
  const [asking, setAsking] = useState(false);
  const mayOpen = person.available_actions.includes("account_open");
  if (!mayOpen && !person.available_actions.includes("account_close")) return null;
  const act = (write: typeof close) =>
    write.mutate({ path: { id: person.id } }, { onSuccess: () => setAsking(false) });
  return (
    <div className={`form ${styles.personAct}`}>
      {mayOpen ? (
        <div>
          <Button small busy={open.isPending} onClick={() => act(open)} data-testid="open-account">
            {t("accountOpen")}
          </Button>
        </div>
      ) : asking ? (
        <div className="form" role="group" aria-label={t("accountClose")}>
          <p>{t("accountCloseAsk", { name: person.name })}</p>
          <div className="row-actions">
            <Button small look="danger" autoFocus busy={close.isPending} onClick={() => act(close)} data-testid="close-account-confirm">
              {t("accountCloseNow")}
            </Button>
            <Button small onClick={() => setAsking(false)}>
              {t("ui:cancel")}
            </Button>
          </div>
        </div>
      ) : (
        <div>
          <Button small look="danger" onClick={() => setAsking(true)} data-testid="close-account">
            {t("accountClose")}
          </Button>
        </div>
      )}
      {close.error && <Problem error={close.error} />}
      {open.error && <Problem error={open.error} />}
    </div>
  );
}
