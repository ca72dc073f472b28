/** The queries behind a score: whether the answer was found, at which rank, and the query itself. */
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { useBenchmark, useContentLanguage, useSlug } from "@/api/benchmark";
import type { Answer } from "@/api/request";
import { useList, useRead } from "@/api/queries";
import { useLocalised } from "@/i18n/localised";
import { Loaded } from "@/ui/Loaded";
import { Button } from "@/ui/Button";
import { CategorySelect } from "@/ui/CategorySelect";
import { Chip } from "@/ui/Chip";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/Field";
import { Page } from "@/ui/Page";
import { PagedList } from "@/ui/PagedList";
import { TableHead } from "@/ui/TableHead";
import { useFilters, type Filters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import { type FromSamples } from "./address";
import { depthOf, scopeOf, SCOPES, type Leaderboard, type Scope } from "./board";
import { Rank } from "./Rank";
import styles from "./leaderboard.module.css";

type Sample = Answer<"sample_list">["results"][number];

const OUTCOMES = ["hit", "miss", "missing"] as const;
const ORDERS = ["ordinal", "rank", "-rank"] as const;

/** The filters of the samples, as in the address. */
interface View {
  run: number;
  scope: Scope;
  /** How many of the first ranks count as found. */
  at: number;
  outcome: (typeof OUTCOMES)[number] | undefined;
  category: string | undefined;
  distance: string | undefined;
  order: (typeof ORDERS)[number];
}

/** The depths that samples can be filtered by. */
function atOf(depth: number): 1 | 5 | 10 {
  return depth === 5 || depth === 10 ? depth : 1;
}

export function SamplesPage() {
  const { t } = useTranslation("leaderboard");
  const id = Number(useParams().releaseId);
  const slug = useSlug();
  const board = useRead("leaderboard_show", { path: { id } });
  return (
    <Page
      title={t("samples.title")}
      lead={
        <Link to={`/b/${slug}/releases/${id}/leaderboard`} data-testid="to-leaderboard">
          {t("samples.toBoard")}
        </Link>
      }
    >
      <Loaded of={board}>
        {(data) =>
          data.systems.length === 0 ? (
            <Empty title={t("noSystems")}>{t("noSystemsText")}</Empty>
          ) : (
            <Samples board={data} release={id} slug={slug} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Samples({ board, release, slug }: { board: Leaderboard; release: number; slug: string }) {
  const { t } = useTranslation("leaderboard");
  const filters = useFilters({ replace: true });
  const run = board.systems.find((system) => system.run === filters.number("run"))?.run ?? board.systems[0]?.run ?? 0;
  const depths = board.metrics.map(depthOf);
  const view: View = {
    run,
    scope: scopeOf(filters.get("scope")),
    at: filters.oneOf("at", depths) ?? depths[0] ?? 1,
    outcome: filters.oneOf("outcome", OUTCOMES),
    category: filters.get("category"),
    distance: filters.get("distance"),
    order: filters.oneOf("order", ORDERS) ?? "ordinal",
  };
  const { at, outcome, category, distance } = view;
  const list = useList("sample_list", { path: { id: release }, query: { ...view, at: atOf(at) } });
  const isNarrowed = outcome !== undefined || category !== undefined || distance !== undefined;
  return (
    <>
      <Switches board={board} view={view} onChange={filters.set} />
      <div className="filters">
        <Selects board={board} slug={slug} view={view} onChange={filters.set} />
        {isNarrowed && (
          <Button
            look="plain"
            onClick={() => filters.set({ outcome: undefined, category: undefined, distance: undefined, order: undefined }, { replace: false })}
            data-testid="filter-none"
          >
            {t("samples.noFilter")}
          </Button>
        )}
      </div>
      <PagedList of={list} empty={<Empty title={t("samples.none")}>{t(isNarrowed ? "samples.noneSo" : "samples.noneYet")}</Empty>}>
        {(rows) => <Rows rows={rows} release={release} slug={slug} view={view} search={filters.search} />}
      </PagedList>
    </>
  );
}

interface FilterProps {
  board: Leaderboard;
  view: View;
  onChange: Filters["set"];
}

function Switches({ board, view, onChange }: FilterProps) {
  const { t } = useTranslation("leaderboard");
  const { scope, at, outcome } = view;
  return (
    <div className={styles.boardSwitches}>
      <ChoiceChips
        label={t("direction")}
        value={scope}
        choices={SCOPES.map((one) => ({ value: one, text: t(`scope.${one}`), testId: `scope-${one}` }))}
        onChoose={(one) => onChange({ scope: one })}
      />
      <ChoiceChips<View["outcome"]>
        label={t("samples.outcome")}
        value={outcome}
        choices={[
          { value: undefined, text: t("samples.all") },
          ...OUTCOMES.map((one) => ({ value: one, text: t(`outcome.${one}`, { at }), testId: `outcome-${one}` })),
        ]}
        onChoose={(one) => onChange({ outcome: one })}
      />
      <ChoiceChips
        label={t("metric")}
        value={at}
        choices={board.metrics.map((metric) => ({ value: depthOf(metric), text: metric, testId: `at-${depthOf(metric)}` }))}
        onChoose={(depth) => onChange({ at: depth })}
      />
    </div>
  );
}

function Selects({ board, slug, view, onChange }: FilterProps & { slug: string }) {
  const { t } = useTranslation("leaderboard");
  const name = useLocalised();
  const distances = board.groups.filter((group) => group.group_by === "distance");
  return (
    <>
      <SelectField label={t("system")} value={view.run} onChange={(event) => onChange({ run: event.target.value })} data-testid="sample-system">
        {board.systems.map((system) => (
          <option key={system.run} value={system.run}>
            {system.system.name}
          </option>
        ))}
      </SelectField>
      <div className={styles.boardCategory}>
        <CategorySelect
          label={t("groups.category")}
          value={view.category}
          placeholder={t("samples.anyCategory")}
          categories={useBenchmark(slug).data?.categories ?? []}
          onChange={(category) => onChange({ category })}
          testId="sample-category"
        />
      </div>
      {distances.length > 0 && (
        <SelectField label={t("groups.distance")} value={view.distance ?? ""} onChange={(event) => onChange({ distance: event.target.value })}>
          <option value="">{t("samples.anyDistance")}</option>
          {distances.map((group) => (
            <option key={group.group} value={group.group}>
              {name(group.name)}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField label={t("samples.order")} value={view.order} onChange={(event) => onChange({ order: event.target.value })} data-testid="sample-order">
        {ORDERS.map((one) => (
          <option key={one} value={one}>
            {t(`order.${one === "-rank" ? "worst" : one}`)}
          </option>
        ))}
      </SelectField>
    </>
  );
}

/** The address of one sample's page, which steps through the samples under the same filters. */
function addressIn(list: string, { run, at, outcome, category, distance }: View): (row: Sample) => string {
  const kept = new URLSearchParams({ run: String(run), at: String(at) });
  for (const [name, value] of Object.entries({ outcome, category, distance })) if (value !== undefined) kept.set(name, value);
  return (row) => `${list}/${row.scope}/${row.ordinal}?${kept.toString()}`;
}

interface RowsProps {
  rows: readonly Sample[];
  release: number;
  slug: string;
  view: View;
  search: URLSearchParams;
}

function Rows({ rows, release, slug, view, search }: RowsProps) {
  const { t } = useTranslation("leaderboard");
  const name = useLocalised();
  const benchmark = useBenchmark(slug).data;
  const lang = useContentLanguage(slug);
  const categoryName = (code: string) => name(benchmark?.categories.find((one) => one.slug === code)?.name) || code;
  const address = addressIn(`/b/${slug}/releases/${release}/samples`, view);
  // In the gallery's own order the server knows the neighbours, also those that are not fetched yet.
  const from: FromSamples | null =
    view.order === "ordinal" ? null : { samples: rows.map(({ ordinal }) => ordinal), search: `?${search.toString()}` };
  return (
    <WideTable label={t("samples.title")}>
      <table className={`table ${styles.boardSamples}`} data-testid="samples">
        <TableHead
          columns={[t("samples.picture"), { number: t("samples.rank") }, t("samples.query"), t("groups.category"), t("samples.item")]}
        />
        <tbody>
          {rows.map((row) => {
            const to = address(row);
            return (
              <tr key={row.ordinal} data-testid={`sample-${row.ordinal}`}>
                <td>
                  <Link to={to} state={from} aria-label={t("samples.open", { label: row.image.label })}>
                    <img src={row.image.thumb_url} alt="" width={56} height={42} loading="lazy" decoding="async" />
                  </Link>
                </td>
                <td className="number">
                  <Rank rank={row.rank} at={view.at} />
                </td>
                <td className={styles.boardQuery}>
                  <Link to={to} state={from}>
                    {row.text === null ? row.image.label : <bdi lang={lang}>{row.text}</bdi>}
                  </Link>
                </td>
                <td>{row.category === "" ? <span className="faint">—</span> : <Chip>{categoryName(row.category)}</Chip>}</td>
                <td>
                  <Link to={`/b/${slug}/items/${row.item.id}`}>{row.item.label}</Link>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </WideTable>
  );
}
