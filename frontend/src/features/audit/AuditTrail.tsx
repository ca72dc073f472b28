/** Every decision of the benchmark, narrowed by who, what, on which kind of thing and when. */
import { useTranslation } from "react-i18next";
import { useReasonName, useSlug } from "@/api/benchmark";
import type { Answer } from "@/api/request";
import { usePeopleSearch } from "@/api/people";
import { useList } from "@/api/queries";
import { useMay } from "@/api/session";
import { AuditLine } from "@/ui/AuditLine";
import { AuditTargetLink } from "@/ui/AuditTimeline";
import { Button } from "@/ui/Button";
import { ToggleChip } from "@/ui/ChoiceChips";
import { CsvLink } from "@/ui/CsvLink";
import { Empty } from "@/ui/Empty";
import { SelectField, TextField } from "@/ui/Field";
import { Page } from "@/ui/Page";
import { PagedList } from "@/ui/PagedList";
import { PersonSelect } from "@/ui/PersonSelect";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { useFilters, type Filters } from "@/ui/useFilters";
import { between } from "./days";
import styles from "./audit.module.css";

type AuditEvent = Answer<"audit_list">["results"][number];

const TYPES = ["image", "item", "package", "inspection", "release", "person", "team", "invitation", "benchmark", "protocol", "guideline", "categorylistversion", "prompt", "itemset", "run", "submission", "publication", "outsider", "import", "bulk"] as const;

export function AuditTrail() {
  const { t } = useTranslation("audit");
  const slug = useSlug();
  const may = useMay(slug);
  const filters = useFilters();
  const query = {
    target_type: filters.get("target_type"),
    target_id: filters.number("target_id"),
    actor_id: filters.number("actor_id"),
    action: filters.get("action"),
    ...between(filters.get("from") ?? "", filters.get("to") ?? ""),
  };
  const list = useList("audit_list", { path: { b: slug }, query });

  return (
    <Page
      title={t("title")}
      lead={t("lead")}
      actions={may("audit_file") && <CsvLink slug={slug} file="audit" query={query} />}
    >
      <FilterFields slug={slug} filters={filters} actorName={list.rows[0]?.actor?.name} />
      <FilterChips slug={slug} filters={filters} first={list.rows[0]} />
      <PagedList of={list} empty={<Empty title={t(filters.isEmpty ? "empty.title" : "empty.filtered")}>{t("empty.text")}</Empty>}>
        {(rows) => <Events rows={rows} slug={slug} filters={filters} />}
      </PagedList>
    </Page>
  );
}

function FilterFields({ slug, filters, actorName }: { slug: string; filters: Filters; actorName: string | undefined }) {
  const { t } = useTranslation("audit");
  const may = useMay(slug);
  const from = filters.get("from") ?? "";
  const to = filters.get("to") ?? "";
  return (
    <div className={styles.auditFilters} role="search" aria-label={t("filter")}>
      {may("person_list") && <ActorFilter slug={slug} filters={filters} name={actorName} />}
      <SelectField label={t("what")} value={filters.get("action") ?? ""} onChange={(event) => filters.set({ action: event.target.value })} data-testid="filter-action">
        <option value="">{t("all")}</option>
        <ActionOptions />
      </SelectField>
      <SelectField
        label={t("target")}
        value={filters.get("target_type") ?? ""}
        // A target's number means nothing under another type.
        onChange={(event) => filters.set({ target_type: event.target.value, target_id: undefined })}
        data-testid="filter-target"
      >
        <option value="">{t("all")}</option>
        {TYPES.map((type) => (
          <option key={type} value={type}>
            {t(`ui:target.${type}`)}
          </option>
        ))}
      </SelectField>
      <TextField type="date" label={t("from")} value={from} max={to || undefined} onChange={(event) => filters.set({ from: event.target.value })} data-testid="filter-from" />
      <TextField type="date" label={t("to")} value={to} min={from || undefined} onChange={(event) => filters.set({ to: event.target.value })} data-testid="filter-to" />
      {!filters.isEmpty && (
        <Button look="plain" onClick={filters.clear} data-testid="filter-none">
          {t("none")}
        </Button>
      )}
    </div>
  );
}

function ActorFilter({ slug, filters, name }: { slug: string; filters: Filters; name: string | undefined }) {
  const { t } = useTranslation("audit");
  const { people, onSearch } = usePeopleSearch(slug);
  const actor = filters.number("actor_id");
  return (
    <PersonSelect
      label={t("who")}
      people={people}
      value={actor}
      valueName={name ?? String(actor)}
      onChange={(id) => filters.set({ actor_id: id })}
      onSearch={onSearch}
      placeholder={t("anybody")}
      testId="filter-actor"
    />
  );
}

/** Filters that no field above shows: one target, and the actor for those who may not list people. */
function FilterChips({ slug, filters, first }: { slug: string; filters: Filters; first: AuditEvent | undefined }) {
  const { t } = useTranslation("audit");
  const may = useMay(slug);
  const type = filters.get("target_type") ?? "";
  const target = filters.number("target_id");
  const actor = may("person_list") ? undefined : filters.number("actor_id");
  const label = first?.label ?? "";
  if (target === undefined && actor === undefined) return null;
  return (
    <div className={`chips ${styles.auditOnly}`}>
      {target !== undefined && (
        <ToggleChip on onToggle={() => filters.set({ target_id: undefined })}>
          {label === "" ? t("ui:targetNumbered", { type: t([`ui:target.${type}`, type]), id: target }) : label} ✕
        </ToggleChip>
      )}
      {actor !== undefined && (
        <ToggleChip on onToggle={() => filters.set({ actor_id: undefined })}>
          {t("by", { name: first?.actor?.name ?? actor })} ✕
        </ToggleChip>
      )}
    </div>
  );
}

function Events({ rows, slug, filters }: { rows: readonly AuditEvent[]; slug: string; filters: Filters }) {
  const { t } = useTranslation("audit");
  const reasonName = useReasonName(slug);
  return (
    <table className={`table ${styles.audit}`}>
      <TableHead columns={[t("when"), t("who"), t("target"), t("what")]} />
      <tbody data-testid="audit-rows">
        {rows.map((event) => (
          <tr key={event.id} data-action={event.action}>
            <td className="dim">
              <Time at={event.at} />
            </td>
            <td>
              {event.actor ? (
                <button type="button" className="linklike" onClick={() => filters.set({ actor_id: event.actor?.id })}>
                  {event.actor.name}
                </button>
              ) : (
                <span className="dim">{t("ui:byItself")}</span>
              )}
            </td>
            <td>
              <AuditTargetLink event={event} slug={slug} />{" "}
              {filters.number("target_id") === undefined && (
                <button
                  type="button"
                  className={`linklike ${styles.auditThis}`}
                  title={t("only")}
                  aria-label={t("onlyOf", { name: event.label === "" ? event.target_id : event.label })}
                  onClick={() => filters.set({ target_type: event.target_type, target_id: event.target_id })}
                  data-testid="only-this"
                >
                  <span aria-hidden="true">⌕</span>
                </button>
              )}
            </td>
            <td>
              <AuditLine event={event} reasonName={reasonName} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Actions that have a name; a link from elsewhere may filter by another one. */
function ActionOptions() {
  const { t, i18n } = useTranslation("audit");
  const named = Object.keys((i18n.getResource(i18n.language, "ui", "operation") as Record<string, string> | undefined) ?? {});
  return named
    .map((action) => ({ action, text: t(`ui:operation.${action}`) }))
    .sort((a, b) => a.text.localeCompare(b.text, i18n.language))
    .map(({ action, text }) => (
      <option key={action} value={action}>
        {text}
      </option>
    ));
}
