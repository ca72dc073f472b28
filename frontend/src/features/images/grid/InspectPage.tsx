/** Inspection: a batch of pictures that is reserved for one curator, judged by keys. */
import { useEffect, useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import type { Benchmark, Image } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Loaded } from "@/ui/Loaded";
import { Button, ButtonLink } from "@/ui/Button";
import { CategorySelect } from "@/ui/CategorySelect";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Loading } from "@/ui/Loading";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { useFilters } from "@/ui/useFilters";
import { pictureRules } from "../protocol";
import { inspectActions } from "./inspectActions";
import { JudgeGrid } from "./JudgeGrid";
import { useJudging } from "./judging";
import { Quota, QuotaOf } from "./Quota";
import { inspection, useBatch, type Batch } from "./useBatch";
import styles from "./grid.module.css";

const SIZES = [50, 100, 200] as const;
const USUAL_SIZE = 200;

export function InspectPage() {
  const { t } = useTranslation("images");
  const slug = useSlug();
  const benchmark = useBenchmark(slug);
  return (
    <Page title={t("inspect.title")} lead={t("inspect.lead")} actions={<ButtonLink to={`/b/${slug}/pictures`}>{t("toGrid")}</ButtonLink>}>
      <Loaded of={benchmark}>{(data) => <Inspection benchmark={data} />}</Loaded>
    </Page>
  );
}

function Inspection({ benchmark }: { benchmark: Benchmark }) {
  const { t } = useTranslation("images");
  const { slug, categories } = benchmark;
  const format = useFormat();
  const rules = useMemo(() => pictureRules(benchmark.protocol.content), [benchmark]);
  const filters = useFilters({ replace: true });
  const category = filters.get("category");
  const size = filters.oneOf("size", SIZES) ?? USUAL_SIZE;
  const counts = useRead("image_counts", { path: { b: slug } });
  const judging = useJudging(slug);
  const { flush, onJudged } = judging;
  const reservation = useMemo(() => inspection(slug, size, category ?? ""), [slug, size, category]);
  const { batch, isFetching, error, isLost, take, put } = useBatch(reservation, flush);
  useEffect(() => onJudged(put), [onJudged, put]);

  const images = batch?.images ?? [];
  const decided = images.filter((image) => image.state !== "received" || judging.decisions.get(image.id)?.verdict !== undefined).length;
  const conflicts = images.filter((image) => judging.decisions.get(image.id)?.conflict !== undefined).length;
  const isDone = batch !== null && decided + conflicts >= images.length && !isFetching;
  const next = () => {
    void flush().then((all) => (all ? take() : undefined));
  };
  useActions(inspectActions, { isDone, next });
  const status = (image: Image) => counts.data && <QuotaOf counts={counts.data} decisions={judging.decisions} image={image} />;

  return (
    <>
      <div className={styles.gridFilters}>
        <div className={styles.gridCategory}>
          <CategorySelect
            label={t("field.category")}
            value={category}
            categories={categories}
            onChange={(slug) => filters.set({ category: slug })}
            placeholder={t("allCategories")}
            testId="category-filter"
          />
        </div>
        <ChoiceChips
          label={t("inspect.size")}
          value={size}
          choices={SIZES.map((one) => ({ value: one, text: t("inspect.sizeOf", { count: one }) }))}
          onChoose={(one) => filters.set({ size: one === USUAL_SIZE ? undefined : one })}
        />
      </div>
      {batch !== null && images.length > 0 && (
        <BatchHead batch={batch} decided={decided} unsent={judging.unsent}>
          <Button small look={isDone ? "primary" : undefined} keys="Mod+Enter" disabled={!isDone} busy={isFetching} onClick={next} data-testid="next-batch">
            {t("inspect.next")}
          </Button>
        </BatchHead>
      )}
      {counts.data && counts.data.by_category.length > 0 && (
        <Quota counts={counts.data} categories={categories} decisions={judging.decisions} hrefOf={(one) => `/b/${slug}/pictures/inspect?category=${encodeURIComponent(one)}`} />
      )}
      {isLost && (
        <Notice tone="warn" action={<Button small onClick={next}>{t("inspect.again")}</Button>}>
          {t("inspect.expired")}
        </Notice>
      )}
      {judging.problem && <Problem error={judging.problem} onRetry={() => void flush()} />}
      {error && <Problem error={error} onRetry={() => void take()} />}
      {batch === null && error === null && <Loading />}
      {batch !== null && images.length === 0 && (
        <Empty
          title={t("inspect.empty")}
          actions={
            <Button onClick={() => void take()} busy={isFetching}>
              {t("inspect.again")}
            </Button>
          }
        >
          {batch.heldByOthers > 0
            ? t("inspect.emptyOthers", { count: batch.heldByOthers, time: batch.othersUntil === null ? "" : format.time(batch.othersUntil) })
            : t("inspect.emptyText")}
        </Empty>
      )}
      {images.length > 0 && (
        <JudgeGrid key={images[0]?.id} rows={images} slug={slug} rules={rules} categories={categories} judging={judging} hasFocus status={status} />
      )}
    </>
  );
}

/** How far the batch is, until when it is reserved, and what is still to be sent. */
function BatchHead({ batch, decided, unsent, children }: { batch: Batch; decided: number; unsent: number; children: ReactNode }) {
  const { t } = useTranslation("images");
  const format = useFormat();
  const size = batch.images.length;
  return (
    <div className={styles.inspectHead}>
      <span className="number" data-testid="decided">
        {t("inspect.decided", { decided, size })}
      </span>
      <Meter value={decided} of={size} label={t("inspect.progress")} />
      {batch.until !== null && (
        <span className="dim number" data-testid="held-until">
          {t("inspect.until", { time: format.time(batch.until) })}
        </span>
      )}
      {batch.heldByOthers > 0 && (
        <span className="dim" data-testid="held-by-others">
          {t("inspect.others", { count: batch.heldByOthers })}
        </span>
      )}
      {unsent > 0 && (
        <span className="dim" data-testid="unsent">
          {t("inspect.unsent", { count: unsent })}
        </span>
      )}
      {children}
    </div>
  );
}
