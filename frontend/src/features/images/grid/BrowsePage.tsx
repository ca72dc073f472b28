/** All pictures of a benchmark, filtered by the address; curators may change verdicts here. */
import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useList, useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Image } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Answered } from "@/ui/Answered";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/Field";
import { PickOne } from "@/ui/kit/PickOne";
import { ListFoot } from "@/ui/ListFoot";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { categoryOptions } from "../categories";
import { pictureRules } from "../protocol";
import { STATES } from "../states";
import { JudgeGrid } from "./JudgeGrid";
import { useJudging } from "./judging";
import { Quota, QuotaOf } from "./Quota";
import "../images.css";

const FLAGS = ["near_duplicate", "blurred"] as const;

export function BrowsePage() {
  const { t } = useTranslation("images");
  const slug = useSlug();
  const may = useMay(slug);
  const name = useLocalised();
  const format = useFormat();
  const [search, setSearch] = useSearchParams();
  const state = STATES.find((one) => one === search.get("state")) ?? "";
  const category = search.get("category") ?? "";
  const flag = FLAGS.find((one) => one === search.get("flag")) ?? "";
  const clear = search.get("clear") ?? "";
  const benchmark = useBenchmark(slug);
  const rules = useMemo(() => pictureRules(benchmark.data?.protocol.content), [benchmark.data]);
  const subset = rules.subsets.find((one) => one.code === search.get("subset"))?.code ?? "";
  const list = useList("image_list", {
    path: { b: slug },
    query: {
      state: state === "" ? undefined : state,
      category: category === "" ? undefined : category,
      subset: subset === "" ? undefined : subset,
      flag: flag === "" ? undefined : flag,
      clear: clear === "yes" ? true : clear === "no" ? false : undefined,
      search: search.get("search") ?? undefined,
      page_size: 60,
    },
  });
  const counts = useRead("image_counts", { path: { b: slug } }, { enabled: may("image_counts") }).data;
  const judging = useJudging(slug);
  const categories = benchmark.data?.categories ?? [];
  const isFiltered = ["state", "category", "subset", "flag", "clear", "search"].some((key) => (search.get(key) ?? "") !== "");
  const filter = (key: string, value: string) => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(key);
    else next.set(key, value);
    setSearch(next);
  };
  const number = (value: number | undefined) => (value === undefined ? "" : format.number(value));
  const status = (image: Image) => counts && <QuotaOf counts={counts} decisions={judging.decisions} image={image} />;
  const actions = (
    <>
      {may("image_hold") && (
        <ButtonLink to={`/b/${slug}/pictures/inspect${category === "" ? "" : `?category=${encodeURIComponent(category)}`}`} data-testid="inspect">
          {counts ? t("inspect.start", { count: counts.to_judge }) : t("inspect.title")}
        </ButtonLink>
      )}
      {may("upload_create") && (
        <ButtonLink to={`/b/${slug}/pictures/add`} look="primary" data-testid="add-pictures">
          {t("add")}
        </ButtonLink>
      )}
    </>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={actions}>
      <div className="grid-filters">
        <div className="chips" role="group" aria-label={t("filter")}>
          <FilterChip isOn={state === ""} onChoose={() => filter("state", "")} testId="filter-all">
            {t("all")}{" "}
            <span className="number">{number(counts && counts.received + counts.accepted + counts.refused + counts.withdrawn)}</span>
          </FilterChip>
          {STATES.filter((one) => one !== "withdrawn" || one === state || (counts?.withdrawn ?? 0) > 0).map((one) => (
            <FilterChip key={one} isOn={state === one} onChoose={() => filter("state", one)} testId={`filter-${one}`}>
              {t(`ui:imageState.${one}`)} <span className="number">{number(counts?.[one])}</span>
            </FilterChip>
          ))}
        </div>
        <div className="grid-selects">
          {rules.subsets.length > 0 && (
            <SelectField label={t("field.subset")} value={subset} onChange={(event) => filter("subset", event.target.value)} data-testid="subset-filter">
              <option value="">{t("anySubset")}</option>
              {rules.subsets.map((one) => (
                <option key={one.code} value={one.code}>
                  {name(one.name)} {number(counts?.by_subset.find((row) => row.subset === one.code)?.accepted)}
                </option>
              ))}
            </SelectField>
          )}
          <SelectField label={t("field.flag")} value={flag} onChange={(event) => filter("flag", event.target.value)} data-testid="flag-filter">
            <option value="">{t("anyFlag")}</option>
            {FLAGS.map((one) => (
              <option key={one} value={one}>
                {t(`flag.${one}`)}
              </option>
            ))}
          </SelectField>
          <SelectField label={t("field.clear")} value={clear} onChange={(event) => filter("clear", event.target.value)} data-testid="clear-filter">
            <option value="">{t("anyClear")}</option>
            <option value="yes">
              {t("clearShort")} {number(counts?.clear)}
            </option>
            <option value="no">{t("notClear")}</option>
          </SelectField>
          <div className="grid-category">
            <PickOne
              label={t("field.category")}
              value={category === "" ? null : category}
              options={categoryOptions(categories, name)}
              onChange={(value) => filter("category", value ?? "")}
              placeholder={t("allCategories")}
              testId="category-filter"
            />
          </div>
        </div>
      </div>
      {counts && counts.by_category.length > 0 && (
        <Quota
          counts={counts}
          categories={categories}
          decisions={judging.decisions}
          hrefOf={(one) => `/b/${slug}/pictures?category=${encodeURIComponent(one)}`}
        />
      )}
      {judging.problem && <Problem error={judging.problem} onRetry={() => void judging.flush()} />}
      <Answered of={list}>
        {() =>
          list.rows.length === 0 ? (
            <Empty title={isFiltered ? t("empty.filtered") : t("empty.title")} actions={actions}>
              {isFiltered ? t("empty.filteredText") : t("empty.text")}
            </Empty>
          ) : (
            <>
              <JudgeGrid
                key={search.toString()}
                rows={list.rows}
                slug={slug}
                rules={rules}
                categories={categories}
                judging={judging}
                status={status}
                onNearEnd={() => {
                  if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
                }}
              />
              <ListFoot list={list} />
            </>
          )
        }
      </Answered>
    </Page>
  );
}

function FilterChip({ isOn, onChoose, testId, children }: { isOn: boolean; onChoose: () => void; testId: string; children: ReactNode }) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={onChoose} data-testid={testId}>
      {children}
    </button>
  );
}
