import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate } from "react-router";
import { useBenchmark, useRoleName, useSlug } from "@/api/benchmark";
import { useList, useRead } from "@/api/queries";
import { useMay, useMe, useSessionBenchmark } from "@/api/session";
import type { Benchmark, Person } from "@/api/types";
import { useDebounced } from "@/api/useDebounced";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Loading } from "@/ui/Loading";
import { PagedList } from "@/ui/PagedList";
import { Time } from "@/ui/Time";
import { useFilters } from "@/ui/useFilters";
import { peopleActions } from "./actions";
import { GrantForm } from "./GrantForm";
import { PeoplePage } from "./PeoplePage";
import { RoleChips } from "./RoleChips";
import { rolesOf } from "./roles";
import styles from "./people.module.css";

/** Everyone, or for those who see only a team of theirs (its lead), the teams. */
export function People() {
  const slug = useSlug();
  const here = useSessionBenchmark(slug);
  if (here === undefined) return <Loading />;
  return here.operations.includes("person_list") ? <Everyone slug={slug} /> : <Navigate to={`/b/${slug}/people/teams`} replace />;
}

function Everyone({ slug }: { slug: string }) {
  const { t } = useTranslation("people");
  const may = useMay(slug);
  const benchmark = useBenchmark(slug).data;
  const roleName = useRoleName(benchmark);
  const filters = useFilters();
  const query = { search: filters.get("search"), role: filters.get("role"), team: filters.number("team") };
  const list = useList("person_list", { path: { b: slug }, query });
  const teams = useRead("team_list", { path: { b: slug } }, { enabled: may("team_list") });
  const isFiltered = Object.values(query).some((value) => value !== undefined);

  return (
    <PeoplePage
      actions={
        may("invitation_create") && (
          <ButtonLink look="primary" to={`/b/${slug}/people/invitations?new=1`} data-testid="invite">
            {t("invite.open")}
          </ButtonLink>
        )
      }
    >
      <div className="filters" role="search">
        <SearchField key={query.search} words={query.search ?? ""} onWords={(words) => filters.set({ search: words }, { replace: true })} />
        <label>
          <span className="visually-hidden">{t("filter.role")}</span>
          <select className="input" value={query.role ?? ""} onChange={(event) => filters.set({ role: event.target.value })} data-testid="filter-role">
            <option value="">{t("filter.anyRole")}</option>
            {rolesOf(benchmark).map(({ code }) => (
              <option key={code} value={code}>
                {roleName(code)}
              </option>
            ))}
          </select>
        </label>
        {teams.data && teams.data.length > 0 && (
          <label>
            <span className="visually-hidden">{t("filter.team")}</span>
            <select className="input" value={query.team ?? ""} onChange={(event) => filters.set({ team: event.target.value })} data-testid="filter-team">
              <option value="">{t("filter.anyTeam")}</option>
              {teams.data.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>
        )}
        {isFiltered && (
          <Button look="plain" onClick={filters.clear} data-testid="filter-none">
            {t("filter.none")}
          </Button>
        )}
      </div>
      <PagedList
        of={list}
        empty={<Empty title={isFiltered ? t("empty.filtered") : t("empty.title")}>{isFiltered ? t("empty.widen") : t("empty.text")}</Empty>}
      >
        {(rows) => (
          <ul className={styles.people} data-testid="people">
            {rows.map((person) => (
              <PersonLine key={person.id} person={person} slug={slug} benchmark={benchmark} />
            ))}
          </ul>
        )}
      </PagedList>
    </PeoplePage>
  );
}

/** Typing waits a moment before it filters; the address follows. */
function SearchField({ words, onWords }: { words: string; onWords: (words: string) => void }) {
  const { t } = useTranslation("people");
  const [typed, setTyped] = useState(words);
  const [field, setField] = useState<HTMLInputElement | null>(null);
  const settled = useDebounced(typed.trim());
  useActions(peopleActions, { search: () => field?.focus() });
  const tell = useEffectEvent((value: string) => {
    if (value !== words) onWords(value);
  });
  useEffect(() => tell(settled), [settled]);
  return (
    <input
      ref={setField}
      type="search"
      className="input"
      aria-label={t("filter.search")}
      placeholder={t("filter.search")}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      data-testid="search-people"
    />
  );
}

function PersonLine({ person, slug, benchmark }: { person: Person; slug: string; benchmark: Benchmark | undefined }) {
  const { t } = useTranslation("people");
  const may = useMay(slug);
  const me = useMe();
  const [granting, setGranting] = useState(false);
  const mayChange = may("role_grant") && person.id !== me.id;
  return (
    <li className={person.active ? styles.person : `${styles.person} ${styles.personClosed}`} data-testid={`person-${person.username}`}>
      <div className={styles.personName}>
        <Link to={`/b/${slug}/people/${person.id}`}>{person.name}</Link>
        <span className="mono faint">{person.username}</span>
      </div>
      <div className="chips">
        <RoleChips grants={person.grants} benchmark={benchmark} mayEnd={mayChange && may("role_end")} />
        {mayChange && !granting && person.active && (
          <button
            type="button"
            className={`chip ${styles.chipAdd}`}
            aria-label={t("grant.openFor", { name: person.name })}
            onClick={() => setGranting(true)}
            data-testid={`grant-${person.username}`}
          >
            {t("grant.open")}
          </button>
        )}
      </div>
      <div className={styles.personFacts}>
        {!person.active && <Chip tone="bad">{t("closed")}</Chip>}
        {!person.consented && <Chip tone="warn">{t("notConsented")}</Chip>}
        <span className="tiny">{person.last_seen === null ? t("never") : <Time at={person.last_seen} />}</span>
      </div>
      {granting && <GrantForm person={person} slug={slug} benchmark={benchmark} onDone={() => setGranting(false)} />}
    </li>
  );
}
