/** All packages one may see, filtered by state and kind in the address; building new ones. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { inProtocol, useBenchmark, useSlug } from "@/api/benchmark";
import { useList } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Package } from "@/api/types";
import { BulkBar, useBulkActions } from "@/bulk/BulkBar";
import { EarlierLink } from "@/bulk/EarlierLink";
import { chooseAll, ChoiceCell } from "@/bulk/ChoiceBox";
import type { Rows } from "@/bulk/actions";
import { useChoice } from "@/bulk/useChoice";
import { useTrackKinds } from "@/kinds/useTrackKinds";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { ChoiceChips, ToggleChip } from "@/ui/ChoiceChips";
import { CsvLink } from "@/ui/CsvLink";
import { Empty } from "@/ui/Empty";
import { Meter } from "@/ui/Meter";
import { Page } from "@/ui/Page";
import { PagedList } from "@/ui/PagedList";
import { Problem } from "@/ui/Problem";
import { SearchField } from "@/ui/SearchField";
import { sortedBy, TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { useFilters, type Filters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import { BuildPackages } from "./BuildPackages";
import { STATES, toneOf } from "./states";
import { usePackageActions } from "./bulkActions";
import { useClaim } from "./useClaim";
import styles from "./packages.module.css";

const SORTS = ["number", "-number", "since", "-since"] as const;

export function PackagesPage() {
  const { t } = useTranslation("packages");
  const slug = useSlug();
  const may = useMay(slug);
  const claim = useClaim(slug);
  const filters = useFilters();
  const [building, setBuilding] = useState(filters.get("build") === "1" && may("package_build"));
  const kinds = useTrackKinds(slug, "package");
  const query = {
    state: filters.oneOf("state", STATES),
    kind: filters.get("kind"),
    assignee: filters.number("assignee"),
    stalled: filters.get("stalled") === "true" ? (true as const) : undefined,
    search: filters.get("search"),
  };
  const sort = filters.oneOf("sort", SORTS) ?? "number";
  const list = useList("package_list", { path: { b: slug }, query: { ...query, sort } });
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  const hasKinds = kinds.length > 0;
  const claimedKind = kinds.find((kind) => query.kind === undefined || kind === query.kind);

  return (
    <Page
      title={t("title")}
      lead={t("lead")}
      actions={
        <>
          <EarlierLink slug={slug} />
          {may("package_file") && <CsvLink slug={slug} file="packages" query={{ ...query, sort }} />}
          {may("package_claim") && claimedKind !== undefined && (
            <Button busy={claim.isPending} onClick={() => claim.claim(claimedKind)} data-testid="claim">
              {kinds.length > 1 ? t("work.claim", { kind: t(`ui:kind.${claimedKind}`) }) : t("claim.button")}
            </Button>
          )}
          {may("package_build") && hasKinds && !building && (
            <Button look="primary" onClick={() => setBuilding(true)} data-testid="build">
              {t("build.open")}
            </Button>
          )}
        </>
      }
    >
      {claim.error && <Problem error={claim.error} />}
      {building && hasKinds && <BuildPackages slug={slug} kinds={kinds} onClose={() => setBuilding(false)} />}
      <PackageFilters slug={slug} kinds={kinds} query={query} list={list} onChange={filters.set} />
      <PagedList
        of={list}
        empty={
          hasKinds ? (
            <Empty title={isFiltered ? t("empty.filtered") : t("empty.title")}>
              {isFiltered ? t("empty.filteredText") : may("package_build") ? t("empty.build") : t("empty.text")}
            </Empty>
          ) : (
            <Empty title={t("empty.noKinds")}>{t("empty.noKindsText")}</Empty>
          )
        }
      >
        {(rows) => (
          <Table
            rows={rows}
            slug={slug}
            order={{ sort, onSort: filters.set }}
            onAssignee={(id) => filters.set({ assignee: id })}
            filters={query}
            total={list.data?.pages[0]}
          />
        )}
      </PagedList>
    </Page>
  );
}

interface PackageFiltersProps {
  slug: string;
  kinds: readonly string[];
  query: { state: Package["state"] | undefined; kind: string | undefined; assignee: number | undefined; stalled: true | undefined; search: string | undefined };
  list: { rows: readonly Package[]; data: { pages: readonly { counts: Readonly<Record<string, number>> }[] } | undefined };
  onChange: Filters["set"];
}

function PackageFilters({ slug, kinds, query, list, onChange }: PackageFiltersProps) {
  const { t } = useTranslation("packages");
  const stallDays = inProtocol(useBenchmark(slug).data?.protocol.content, "tracks", "package", "stall_days");
  const counts = list.data?.pages[0]?.counts ?? {};
  const { state, kind, assignee, stalled = false } = query;
  return (
    <div className={styles.packageFilters}>
      <div className={styles.packageSearch}>
        <SearchField label={t("search.label")} placeholder={t("search.hint")} value={query.search} onSearch={(search) => onChange({ search }, { replace: true })} />
      </div>
      <ChoiceChips<Package["state"] | undefined>
        label={t("filter.state")}
        value={state}
        onChoose={(one) => onChange({ state: one })}
        choices={[
          { value: undefined, text: t("filter.all") },
          ...STATES.filter((one) => (counts[one] ?? 0) > 0 || one === state).map((one) => ({
            value: one,
            text: t(`ui:packageState.${one}`),
            count: counts[one] ?? 0,
            testId: `filter-${one}`,
          })),
        ]}
      />
      <div className="chips" role="group" aria-label={t("filter.more")}>
        <ToggleChip on={stalled} onToggle={() => onChange({ stalled: stalled ? undefined : "true" })} testId="filter-stalled">
          {typeof stallDays === "number" ? t("filter.stalledDays", { count: stallDays }) : t("filter.stalled")}
        </ToggleChip>
        {assignee !== undefined && (
          <ToggleChip on onToggle={() => onChange({ assignee: undefined })} testId="filter-assignee">
            {t("filter.of", { name: list.rows.find((row) => row.assignee?.id === assignee)?.assignee?.name ?? t("colleague") })} ✕
          </ToggleChip>
        )}
      </div>
      {kinds.length > 1 && (
        <ChoiceChips<string | undefined>
          label={t("filter.kind")}
          value={kind}
          onChoose={(one) => onChange({ kind: one })}
          choices={[{ value: undefined, text: t("filter.allKinds") }, ...kinds.map((one) => ({ value: one, text: t(`ui:kind.${one}`) }))]}
        />
      )}
    </div>
  );
}

interface TableProps {
  rows: readonly Package[];
  slug: string;
  order: { sort: string; onSort: Filters["set"] };
  onAssignee: (id: number) => void;
  filters: Rows["filters"];
  total: { total: number | null; total_is_capped: boolean } | undefined;
}

function Table({ rows, slug, order, onAssignee, filters, total }: TableProps) {
  const { t } = useTranslation("packages");
  const actions = usePackageActions(slug, filters.kind);
  const choice = useChoice(rows);
  const canChoose = useBulkActions(slug, actions).length > 0;
  return (
    <>
    <WideTable label={t("title")}>
      <table className={`table ${styles.packages}`} data-testid="packages">
        <TableHead
          columns={[
            ...(canChoose ? [chooseAll(choice, t("bulk:rows"))] : []),
            sortedBy("number", t("column.package"), order),
            t("column.state"),
            t("column.written"),
            t("column.assignee"),
            t("column.reviewer"),
            { number: t("column.round") },
            sortedBy("since", t("column.since"), order),
          ]}
        />
        <tbody>
          {rows.map((pkg) => (
            <tr key={pkg.id} data-testid={`package-${pkg.label}`}>
              {canChoose && <ChoiceCell choice={choice} row={pkg} />}
              <td>
                <Link to={`/b/${slug}/packages/${pkg.id}`}>{pkg.label}</Link>{" "}
                <span className="dim">{t(`ui:kind.${pkg.kind}`)}</span>
              </td>
              <td>
                <Chip tone={toneOf(pkg.state)}>{t(`ui:packageState.${pkg.state}`)}</Chip>
              </td>
              <td className={styles.packagesProgress}>
                <span className="number">{t("written", { written: pkg.written, size: pkg.size })}</span>
                <Meter value={pkg.written} of={pkg.size} label={t("column.written")} />
              </td>
              <td>
                <Assignee pkg={pkg} onAssignee={onAssignee} />
              </td>
              <td>{pkg.reviewer?.name ?? <span className="faint">{t("noPerson")}</span>}</td>
              <td className="number">{pkg.round > 0 ? pkg.round : <span className="faint">{t("noPerson")}</span>}</td>
              <td className="dim">
                <Time at={pkg.state_changed_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
    <BulkBar slug={slug} ids={choice.ids} filters={filters} total={total} actions={actions} onClear={choice.clear} />
    </>
  );
}

/** Leads to all packages of the same person. */
function Assignee({ pkg, onAssignee }: { pkg: Package; onAssignee: (id: number) => void }) {
  const { t } = useTranslation("packages");
  const { assignee } = pkg;
  if (!assignee) return <span className="faint">{t("noPerson")}</span>;
  return (
    <button type="button" className="linklike" onClick={() => onAssignee(assignee.id)}>
      {assignee.name}
    </button>
  );
}
