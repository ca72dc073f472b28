/** All items of the benchmark, narrowed by kind, state, category and author in the address. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useBenchmark, useContentLanguage, useSlug } from "@/api/benchmark";
import type { Answer } from "@/api/request";
import { usePeopleSearch } from "@/api/people";
import { useList } from "@/api/queries";
import { useMay } from "@/api/session";
import { BulkBar, useBulkActions } from "@/bulk/BulkBar";
import { EarlierLink } from "@/bulk/EarlierLink";
import { chooseAll, ChoiceCell } from "@/bulk/ChoiceBox";
import type { BulkAction, BulkValue, Rows } from "@/bulk/actions";
import { useChoice } from "@/bulk/useChoice";
import { useLocalised } from "@/i18n/localised";
import { kindView } from "@/kinds/registry";
import { useKinds } from "@/kinds/useTrackKinds";
import { Button, ButtonLink } from "@/ui/Button";
import { CategorySelect } from "@/ui/CategorySelect";
import { Chip, type Tone } from "@/ui/Chip";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { CsvLink } from "@/ui/CsvLink";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/Field";
import { Page } from "@/ui/Page";
import { PagedList } from "@/ui/PagedList";
import { PersonSelect } from "@/ui/PersonSelect";
import { SearchField } from "@/ui/SearchField";
import { sortedBy, TableHead } from "@/ui/TableHead";
import { useFilters, type Filters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import styles from "./items.module.css";

type ItemRow = Answer<"item_list">["results"][number];

const STATES = ["todo", "made", "skipped", "returned", "accepted", "excluded"] as const;
const TONES: Readonly<Record<string, Tone>> = { accepted: "good", returned: "warn", skipped: "warn" };

export function ItemsPage() {
  const { t } = useTranslation("items");
  const slug = useSlug();
  const may = useMay(slug);
  const benchmark = useBenchmark(slug).data;
  const filters = useFilters();
  const query = { state: filters.oneOf("state", STATES), kind: filters.get("kind"), category: filters.get("category"), author: filters.number("author"), search: filters.get("search") };
  const sort = filters.oneOf("sort", ["number", "-number"]) ?? "number";
  const list = useList("item_list", { path: { b: slug }, query: { ...query, sort, page_size: 50 } });
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  const imports = (
    <>
      {may("import_list") && (
        <ButtonLink to={`/b/${slug}/imports`} data-testid="to-imports">
          {t("import.texts")}
        </ButtonLink>
      )}
      {may("item_import") && (
        <ButtonLink to={`/b/${slug}/items/import`} data-testid="to-import">
          {t("import.open")}
        </ButtonLink>
      )}
    </>
  );
  return (
    <Page
      title={t("title")}
      lead={t("lead")}
      actions={
        <>
          <EarlierLink slug={slug} />
          {may("item_file") && <CsvLink slug={slug} file="items" query={{ ...query, sort }} />}
          {imports}
        </>
      }
    >
      <StateFilter counts={list.data?.pages[0]} state={query.state} onState={(state) => filters.set({ state })} />
      <div className={styles.itemsFilters}>
        <SearchField label={t("search.label")} placeholder={t("search.hint")} value={query.search} onSearch={(search) => filters.set({ search }, { replace: true })} />
        <KindFilter slug={slug} kind={query.kind} onKind={(kind) => filters.set({ kind })} />
        <CategorySelect
          label={t("column.category")}
          value={query.category}
          placeholder={t("filter.allCategories")}
          categories={benchmark?.categories ?? []}
          onChange={(category) => filters.set({ category })}
          testId="filter-category"
        />
        {may("person_list") && <AuthorFilter slug={slug} author={query.author} onAuthor={(author) => filters.set({ author })} />}
        {isFiltered && (
          <Button look="plain" onClick={filters.clear} data-testid="filter-none">
            {t("filter.none")}
          </Button>
        )}
      </div>
      <PagedList
        of={list}
        empty={
          <Empty
            title={t(isFiltered ? "empty.filtered" : "empty.title")}
            actions={
              !isFiltered && (
                <>
                  {may("package_build") && <ButtonLink to={`/b/${slug}/packages?build=1`}>{t("empty.build")}</ButtonLink>}
                  {imports}
                </>
              )
            }
          >
            {t(isFiltered ? "empty.filteredText" : "empty.text")}
          </Empty>
        }
      >
        {(rows) => (
          <Table
            rows={rows}
            slug={slug}
            order={query.search === undefined ? { sort, onSort: filters.set } : null}
            filters={query}
            total={list.data?.pages[0]}
          />
        )}
      </PagedList>
    </Page>
  );
}

type State = (typeof STATES)[number];

/** The states that have items; all of them, without numbers, where there are too many items to count. */
function StateFilter({
  counts: counted,
  state,
  onState,
}: {
  counts: { counts: Readonly<Record<string, number>>; counts_are_capped: boolean } | undefined;
  state: State | undefined;
  onState: (state: State | undefined) => void;
}) {
  const { t } = useTranslation("items");
  const { counts = {}, counts_are_capped: isCapped = false } = counted ?? {};
  const states = STATES.filter((one) => isCapped || (counts[one] ?? 0) > 0 || one === state);
  return (
    <ChoiceChips<State | undefined>
      className={styles.itemsStates}
      label={t("filter.state")}
      value={state}
      onChoose={onState}
      choices={[
        { value: undefined, text: t("filter.all") },
        ...states.map((one) => ({
          value: one,
          text: t(`ui:itemState.${one}`),
          count: isCapped ? undefined : (counts[one] ?? 0),
          testId: `filter-${one}`,
        })),
      ]}
    />
  );
}

function KindFilter({ slug, kind, onKind }: { slug: string; kind: string | undefined; onKind: (kind: string) => void }) {
  const { t } = useTranslation("items");
  const kinds = useKinds(slug);
  if (kinds.length < 2) return null;
  return (
    <SelectField label={t("column.kind")} value={kind ?? ""} onChange={(event) => onKind(event.target.value)}>
      <option value="">{t("filter.allKinds")}</option>
      {kinds.map((one) => (
        <option key={one} value={one}>
          {t(`ui:kind.${one}`)}
        </option>
      ))}
    </SelectField>
  );
}

function AuthorFilter({ slug, author, onAuthor }: { slug: string; author: number | undefined; onAuthor: (id: number | undefined) => void }) {
  const { t } = useTranslation("items");
  const { people, onSearch } = usePeopleSearch(slug);
  return (
    <PersonSelect
      label={t("column.author")}
      people={people}
      value={author}
      valueName={t("filter.person")}
      placeholder={t("filter.anybody")}
      onChange={onAuthor}
      onSearch={onSearch}
      testId="filter-author"
    />
  );
}

interface TableProps {
  rows: readonly ItemRow[];
  slug: string;
  /** Null in a search, which lists the newest items first. */
  order: { sort: string; onSort: Filters["set"] } | null;
  filters: Rows["filters"];
  total: { total: number | null; total_is_capped: boolean } | undefined;
}

function Table({ rows, slug, order, filters, total }: TableProps) {
  const { t } = useTranslation("items");
  const lang = useContentLanguage(slug);
  const name = useLocalised();
  const choice = useChoice(rows);
  const canChoose = useBulkActions(slug, EXCLUDE).length > 0;
  return (
    <>
    <WideTable label={t("title")}>
      <table className={`table ${styles.items}`} data-testid="items">
        <TableHead
          columns={[...(canChoose ? [chooseAll(choice, t("bulk:rows"))] : []), t("column.picture"), order ? sortedBy("number", t("column.item"), order) : t("column.item"), t("column.state"), t("column.category"), t("column.package"), t("column.text")]}
        />
        <tbody>
          {rows.map((item) => (
            <tr key={item.id} data-testid={`item-${item.label}`}>
              {canChoose && <ChoiceCell choice={choice} row={item} />}
              <td>
                <Link to={`/b/${slug}/pictures/${item.image.id}`} aria-label={item.image.label}>
                  <img src={item.image.thumb_url} alt="" width={56} height={42} loading="lazy" decoding="async" />
                </Link>
              </td>
              <td>
                <Link to={`/b/${slug}/items/${item.id}`} state={{ items: rows.map(({ id }) => id) }}>
                  {item.label}
                </Link>{" "}
                <span className="dim">
                  {t(`ui:kind.${item.kind}`)}
                  {item.slot > 0 && ` ${t("slot", { slot: item.slot })}`}
                </span>
              </td>
              <td>
                <Chip tone={TONES[item.state]}>{t(`ui:itemState.${item.state}`)}</Chip>
              </td>
              <td>{item.image.category ? name(item.image.category.name) : <span className="faint">—</span>}</td>
              <td>
                {item.package ? <Link to={`/b/${slug}/packages/${item.package.id}`}>{item.package.label}</Link> : <span className="faint">—</span>}
              </td>
              <td className={styles.itemsText}>
                {item.first_text === "" ? (
                  <span className="faint">{t(item.revision_no === 0 ? "notWritten" : kindView(item.kind)?.Overlay ? "onPicture" : "noText")}</span>
                ) : (
                  <bdi lang={item.language?.lang ?? lang} dir={item.language?.dir}>
                    {item.first_text}
                  </bdi>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
    <BulkBar slug={slug} ids={choice.ids} filters={filters} total={total} actions={EXCLUDE} onClear={choice.clear} />
    </>
  );
}

const EXCLUDE: readonly BulkAction[] = [{ action: "exclude", param: "reason", field: (value, onChange) => <Reason value={value} onChange={onChange} /> }];

function Reason({ value, onChange }: { value: BulkValue | undefined; onChange: (value: string) => void }) {
  const { t } = useTranslation("items");
  return (
    <label className="field">
      <span className="label">{t("bulk:reason")}</span>
      <textarea className="input" rows={3} maxLength={1000} required value={value ?? ""} onChange={(event) => onChange(event.target.value)} data-testid="bulk-reason" />
    </label>
  );
}
