/** All pictures of a benchmark, filtered by the address; curators may change verdicts here. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useList, useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Image } from "@/api/types";
import { BulkBar } from "@/bulk/BulkBar";
import { EarlierLink } from "@/bulk/EarlierLink";
import { ButtonLink } from "@/ui/Button";
import { CsvLink } from "@/ui/CsvLink";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { PagedList } from "@/ui/PagedList";
import { Problem } from "@/ui/Problem";
import { useFilters } from "@/ui/useFilters";
import { pictureRules } from "../protocol";
import { STATES } from "../states";
import { usePictureActions } from "./bulkActions";
import { knownText } from "../axes";
import { BrowseFilters, CLEAR, FLAGS, SORTS } from "./BrowseFilters";
import { JudgeGrid } from "./JudgeGrid";
import { useJudging } from "./judging";
import { Quota, QuotaOf } from "./Quota";

export function BrowsePage() {
  const { t } = useTranslation("images");
  const slug = useSlug();
  const may = useMay(slug);
  const filters = useFilters();
  const benchmark = useBenchmark(slug);
  const rules = useMemo(() => pictureRules(benchmark.data?.protocol.content), [benchmark.data]);
  const axes = benchmark.data?.axes ?? [];
  const clear = filters.oneOf("clear", CLEAR);
  const query = {
    state: filters.oneOf("state", STATES),
    category: filters.get("category"),
    axes: knownText(filters.get("axes"), axes),
    subset: filters.oneOf("subset", rules.subsets.map(({ code }) => code)),
    flag: filters.oneOf("flag", FLAGS),
    clear: clear && clear === "yes",
    search: filters.get("search"),
  };
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  const sort = filters.oneOf("sort", SORTS);
  const list = useList("image_list", { path: { b: slug }, query: { ...query, sort, page_size: 60 } });
  const counts = useRead("image_counts", { path: { b: slug } }, { enabled: may("image_counts") }).data;
  const judging = useJudging(slug);
  const categories = benchmark.data?.categories ?? [];
  const bulkActions = usePictureActions(rules, categories);
  const status = (image: Image) => counts && <QuotaOf counts={counts} decisions={judging.decisions} image={image} />;
  const actions = (
    <>
      {may("image_hold") && (
        <ButtonLink to={`/b/${slug}/pictures/inspect${query.category === undefined ? "" : `?category=${encodeURIComponent(query.category)}`}`} data-testid="inspect">
          {counts ? t("inspect.start", { count: counts.to_judge }) : t("inspect.title")}
        </ButtonLink>
      )}
      {may("image_cover") && (
        <ButtonLink to={`/b/${slug}/pictures/cover`} data-testid="to-cover">
          {counts && may("cover_hold") ? t("cover.open", { count: counts.to_check }) : t("cover.title")}
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
    <Page
      title={t("title")}
      lead={t("lead")}
      actions={
        <>
          <EarlierLink slug={slug} />
          {may("image_file") && <CsvLink slug={slug} file="pictures" query={{ ...query, sort }} />}
          {actions}
        </>
      }
    >
      <BrowseFilters filters={filters} rules={rules} categories={categories} axes={axes} counts={counts} />
      {counts && counts.by_category.length > 0 && (
        <Quota
          counts={counts}
          categories={categories}
          decisions={judging.decisions}
          hrefOf={(one) => `/b/${slug}/pictures?category=${encodeURIComponent(one)}`}
        />
      )}
      {judging.problem && <Problem error={judging.problem} onRetry={() => void judging.flush()} />}
      <PagedList
        of={list}
        empty={
          <Empty title={isFiltered ? t("empty.filtered") : t("empty.title")} actions={actions}>
            {isFiltered ? t("empty.filteredText") : t("empty.text")}
          </Empty>
        }
      >
        {(rows) => (
          <JudgeGrid
            key={filters.search.toString()}
            rows={rows}
            slug={slug}
            rules={rules}
            categories={categories}
            judging={judging}
            status={status}
            more={(images, isInline) => (
              <BulkBar isInline={isInline} slug={slug} ids={images.map((image) => image.id)} filters={query} total={list.data?.pages[0]} actions={bulkActions} />
            )}
            onNearEnd={() => {
              if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
            }}
          />
        )}
      </PagedList>
    </Page>
  );
}
