/** All packages one may see, filtered by state and kind in the address; building new ones. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { inProtocol, useBenchmark, useSlug } from "@/api/benchmark";
import { useList } from "@/api/queries";
import { useMay, useSessionBenchmark } from "@/api/session";
import type { Package } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { KIND_NAMES } from "@/kinds/registry";
import { Answered } from "@/ui/Answered";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { ListFoot } from "@/ui/ListFoot";
import { Meter } from "@/ui/Meter";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import { BuildPackages } from "./BuildPackages";
import { STATES, toneOf } from "./states";
import { useClaim } from "./useClaim";
import "./packages.css";

interface ListQuery {
  state: Package["state"] | undefined;
  kind: string | undefined;
  assignee: number | undefined;
  stalled: true | undefined;
}

export function PackagesPage() {
  const { t } = useTranslation("packages");
  const slug = useSlug();
  const may = useMay(slug);
  const format = useFormat();
  const claim = useClaim(slug);
  const stallDays = inProtocol(useBenchmark(slug).data?.protocol.content, "tracks", "package", "stall_days");
  const [search, setSearch] = useSearchParams();
  const [building, setBuilding] = useState(search.get("build") === "1");
  const kinds = (useSessionBenchmark(slug)?.kinds ?? []).filter((kind) => KIND_NAMES.includes(kind));
  const state = STATES.find((one) => one === search.get("state")) ?? "";
  const kind = search.get("kind") ?? "";
  const assignee = Number(search.get("assignee")) || undefined;
  const stalled = search.get("stalled") === "true";
  const query: ListQuery = {
    state: state === "" ? undefined : state,
    kind: kind === "" ? undefined : kind,
    assignee,
    stalled: stalled ? true : undefined,
  };
  const list = useList("package_list", { path: { b: slug }, query });
  const isFiltered = state !== "" || kind !== "" || assignee !== undefined || stalled;
  const counts = list.data?.pages[0]?.counts ?? {};
  const filter = (name: string, value: string) => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(name);
    else next.set(name, value);
    setSearch(next);
  };
  const wanted = kinds.find((one) => kind === "" || one === kind);

  return (
    <Page
      title={t("title")}
      lead={t("lead")}
      actions={
        <>
          {may("package_claim") && wanted !== undefined && (
            <Button busy={claim.isPending} onClick={() => claim.claim(wanted)} data-testid="claim">
              {kinds.length > 1 ? t("work.take", { kind: t(`ui:kind.${wanted}`) }) : t("claim.button")}
            </Button>
          )}
          {may("package_build") && !building && (
            <Button look="primary" onClick={() => setBuilding(true)} data-testid="build">
              {t("build.open")}
            </Button>
          )}
        </>
      }
    >
      {claim.error && <Problem error={claim.error} />}
      {building && <BuildPackages slug={slug} kinds={kinds} onClose={() => setBuilding(false)} />}
      <div className="package-filters">
        <div className="chips" role="group" aria-label={t("filter.state")}>
          <FilterChip on={state === ""} onChoose={() => filter("state", "")}>
            {t("filter.all")}
          </FilterChip>
          {STATES.filter((one) => (counts[one] ?? 0) > 0 || one === state).map((one) => (
            <FilterChip key={one} on={state === one} onChoose={() => filter("state", one)} testId={`filter-${one}`}>
              {t(`ui:packageState.${one}`)} <span className="number">{format.number(counts[one] ?? 0)}</span>
            </FilterChip>
          ))}
        </div>
        <div className="chips" role="group" aria-label={t("filter.more")}>
          <FilterChip on={stalled} onChoose={() => filter("stalled", stalled ? "" : "true")} testId="filter-stalled">
            {typeof stallDays === "number" ? t("filter.stalledDays", { days: stallDays }) : t("filter.stalled")}
          </FilterChip>
          {assignee !== undefined && (
            <FilterChip on onChoose={() => filter("assignee", "")} testId="filter-assignee">
              {t("filter.of", { name: list.rows.find((row) => row.assignee?.id === assignee)?.assignee?.name ?? t("colleague") })} ✕
            </FilterChip>
          )}
        </div>
        {kinds.length > 1 && (
          <div className="chips" role="group" aria-label={t("filter.kind")}>
            {["", ...kinds].map((one) => (
              <FilterChip key={one} on={kind === one} onChoose={() => filter("kind", one)}>
                {one === "" ? t("filter.allKinds") : t(`ui:kind.${one}`)}
              </FilterChip>
            ))}
          </div>
        )}
      </div>
      <Answered of={list}>
        {() =>
          list.rows.length === 0 ? (
            <Empty title={isFiltered ? t("empty.filtered") : t("empty.title")}>
              {isFiltered ? t("empty.filteredText") : may("package_build") ? t("empty.build") : t("empty.text")}
            </Empty>
          ) : (
            <>
              <Table rows={list.rows} slug={slug} onAssignee={(id) => filter("assignee", String(id))} />
              <ListFoot list={list} />
            </>
          )
        }
      </Answered>
    </Page>
  );
}

function FilterChip({
  on,
  onChoose,
  testId,
  children,
}: {
  on: boolean;
  onChoose: () => void;
  testId?: string;
  children: React.ReactNode;
}) {
  return (
    <button type="button" className="chip" aria-pressed={on} onClick={onChoose} data-testid={testId}>
      {children}
    </button>
  );
}

function Table({ rows, slug, onAssignee }: { rows: readonly Package[]; slug: string; onAssignee: (id: number) => void }) {
  const { t } = useTranslation("packages");
  return (
    <WideTable label={t("title")}>
      <table className="table packages" data-testid="packages">
        <thead>
          <tr>
            <th scope="col">{t("column.package")}</th>
            <th scope="col">{t("column.state")}</th>
            <th scope="col">{t("column.written")}</th>
            <th scope="col">{t("column.assignee")}</th>
            <th scope="col">{t("column.reviewer")}</th>
            <th scope="col" className="number">
              {t("column.round")}
            </th>
            <th scope="col">{t("column.since")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((pkg) => (
            <tr key={pkg.id} data-testid={`package-${pkg.label}`}>
              <td>
                <Link to={`/b/${slug}/packages/${pkg.id}`}>{pkg.label}</Link>{" "}
                <span className="dim">{t(`ui:kind.${pkg.kind}`)}</span>
              </td>
              <td>
                <Chip tone={toneOf(pkg.state)}>{t(`ui:packageState.${pkg.state}`)}</Chip>
              </td>
              <td className="packages-progress">
                <span className="number">{t("written", { written: pkg.written, size: pkg.size })}</span>
                <Meter value={pkg.written} of={pkg.size} label={t("column.written")} />
              </td>
              <td>
                <Assignee pkg={pkg} onAssignee={onAssignee} />
              </td>
              <td>{pkg.reviewer?.name ?? <span className="faint">{t("nobody")}</span>}</td>
              <td className="number">{pkg.round > 0 ? pkg.round : <span className="faint">{t("nobody")}</span>}</td>
              <td className="dim">
                <Time at={pkg.state_changed_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

/** Leads to all packages of the same person. */
function Assignee({ pkg, onAssignee }: { pkg: Package; onAssignee: (id: number) => void }) {
  const { t } = useTranslation("packages");
  const { assignee } = pkg;
  if (!assignee) return <span className="faint">{t("nobody")}</span>;
  return (
    <button type="button" className="linklike" onClick={() => onAssignee(assignee.id)}>
      {assignee.name}
    </button>
  );
}
