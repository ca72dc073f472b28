/** All items of the benchmark, narrowed by kind, state, category and author in the address. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import type { Answer } from "@/api/operations";
import { useList } from "@/api/queries";
import { useMay, useSessionBenchmark } from "@/api/session";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { contentLanguage } from "@/kinds/language";
import { KIND_NAMES } from "@/kinds/registry";
import { Answered } from "@/ui/Answered";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip, type Tone } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/Field";
import { PickOne } from "@/ui/kit/PickOne";
import { ListFoot } from "@/ui/ListFoot";
import { Page } from "@/ui/Page";
import { useSettled } from "@/ui/useSettled";
import { WideTable } from "@/ui/WideTable";
import "./items.css";

type ItemRow = Answer<"item_list">["results"][number];

const STATES = ["todo", "made", "skipped", "returned", "accepted", "excluded"] as const;
const TONES: Readonly<Record<string, Tone>> = { accepted: "good", returned: "warn", skipped: "warn" };

export function ItemsPage() {
  const { t } = useTranslation("items");
  const slug = useSlug();
  const may = useMay(slug);
  const name = useLocalised();
  const format = useFormat();
  const benchmark = useBenchmark(slug).data;
  const kinds = (useSessionBenchmark(slug)?.kinds ?? []).filter((one) => KIND_NAMES.includes(one));
  const [search, setSearch] = useSearchParams();
  const state = STATES.find((one) => one === search.get("state"));
  const kind = search.get("kind") ?? "";
  const category = search.get("category") ?? "";
  const author = Number(search.get("author")) || undefined;
  const list = useList("item_list", {
    path: { b: slug },
    query: {
      state,
      kind: kind === "" ? undefined : kind,
      category: category === "" ? undefined : category,
      author,
      page_size: 50,
    },
  });
  const { counts = {}, counts_are_capped: uncounted = false } = list.data?.pages[0] ?? {};
  const isFiltered = state !== undefined || kind !== "" || category !== "" || author !== undefined;
  const filter = (key: string, value: string) => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(key);
    else next.set(key, value);
    setSearch(next);
  };
  const toImport = (
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
    <Page title={t("title")} lead={t("lead")} actions={toImport}>
      <div className="chips items-states" role="group" aria-label={t("filter.state")}>
        <button type="button" className="chip" aria-pressed={state === undefined} onClick={() => filter("state", "")}>
          {t("filter.all")}
        </button>
        {STATES.filter((one) => uncounted || (counts[one] ?? 0) > 0 || one === state).map((one) => (
          <button
            key={one}
            type="button"
            className="chip"
            aria-pressed={state === one}
            onClick={() => filter("state", one)}
            data-testid={`filter-${one}`}
          >
            {t(`ui:itemState.${one}`)}{" "}
            {!uncounted && <span className="number">{format.number(counts[one] ?? 0)}</span>}
          </button>
        ))}
      </div>
      <div className="items-filters">
        {kinds.length > 1 && (
          <SelectField label={t("column.kind")} value={kind} onChange={(event) => filter("kind", event.target.value)}>
            <option value="">{t("filter.allKinds")}</option>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {t(`ui:kind.${one}`)}
              </option>
            ))}
          </SelectField>
        )}
        <PickOne
          label={t("column.category")}
          value={category === "" ? null : category}
          placeholder={t("filter.allCategories")}
          options={(benchmark?.categories ?? []).map((one) => ({
            value: one.slug,
            label: name(one.name),
            group: name(one.field.name),
            also: Object.values(one.name).join(" "),
          }))}
          onChange={(value) => filter("category", value ?? "")}
          testId="filter-category"
        />
        {may("person_list") && <Author slug={slug} author={author} onAuthor={(id) => filter("author", id)} />}
        {isFiltered && (
          <Button look="plain" onClick={() => setSearch(new URLSearchParams())} data-testid="filter-none">
            {t("filter.none")}
          </Button>
        )}
      </div>
      <Answered of={list}>
        {() =>
          list.rows.length === 0 ? (
            <Empty
              title={t(isFiltered ? "empty.filtered" : "empty.title")}
              actions={
                !isFiltered && (
                  <>
                    {may("package_build") && <ButtonLink to={`/b/${slug}/packages?build=1`}>{t("empty.build")}</ButtonLink>}
                    {toImport}
                  </>
                )
              }
            >
              {t(isFiltered ? "empty.filteredText" : "empty.text")}
            </Empty>
          ) : (
            <>
              <Table rows={list.rows} slug={slug} lang={contentLanguage(benchmark)} />
              <ListFoot list={list} />
            </>
          )
        }
      </Answered>
    </Page>
  );
}

function Table({ rows, slug, lang }: { rows: readonly ItemRow[]; slug: string; lang: string }) {
  const { t } = useTranslation("items");
  const name = useLocalised();
  return (
    <WideTable label={t("title")}>
      <table className="table items" data-testid="items">
        <thead>
          <tr>
            <th scope="col">{t("column.picture")}</th>
            <th scope="col">{t("column.item")}</th>
            <th scope="col">{t("column.state")}</th>
            <th scope="col">{t("column.category")}</th>
            <th scope="col">{t("column.package")}</th>
            <th scope="col">{t("column.text")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((item) => (
            <tr key={item.id} data-testid={`item-${item.label}`}>
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
              <td className="items-text">
                {item.first_text === "" ? (
                  <span className="faint">{t("notWritten")}</span>
                ) : (
                  <span lang={lang}>{item.first_text}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function Author({ slug, author, onAuthor }: { slug: string; author: number | undefined; onAuthor: (id: string) => void }) {
  const { t } = useTranslation("items");
  const [words, setWords] = useState("");
  const settled = useSettled(words.trim());
  const people = useList("person_list", { path: { b: slug }, query: { search: settled === "" ? undefined : settled } });
  const options = people.rows.map((one) => ({ value: String(one.id), label: `${one.name} (${one.username})` }));
  // The one filtered by need not be among those found.
  if (author !== undefined && !options.some((one) => one.value === String(author))) {
    options.unshift({ value: String(author), label: t("filter.somebody") });
  }
  return (
    <PickOne
      label={t("column.author")}
      value={author === undefined ? null : String(author)}
      options={options}
      placeholder={t("filter.anybody")}
      onChange={(value) => onAuthor(value ?? "")}
      onSearch={setWords}
      testId="filter-author"
    />
  );
}
