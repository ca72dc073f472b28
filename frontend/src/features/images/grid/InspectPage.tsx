/** Inspection: a batch of one's own, judged by keys; nobody else is shown these pictures meanwhile. */
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import type { Benchmark, Image } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Answered } from "@/ui/Answered";
import { Button, ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { PickOne } from "@/ui/kit/PickOne";
import { Loading } from "@/ui/Loading";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { categoryOptions } from "../categories";
import { pictureRules } from "../protocol";
import { inspectActions } from "./inspectActions";
import { JudgeGrid } from "./JudgeGrid";
import { useJudging } from "./judging";
import { Quota, QuotaOf } from "./Quota";
import { useBatch } from "./useBatch";
import "../images.css";

const SIZES = [50, 100, 200] as const;

export function InspectPage() {
  const { t } = useTranslation("images");
  const slug = useSlug();
  const benchmark = useBenchmark(slug);
  return (
    <Page title={t("inspect.title")} lead={t("inspect.lead")} actions={<ButtonLink to={`/b/${slug}/pictures`}>{t("toGrid")}</ButtonLink>}>
      <Answered of={benchmark}>{(data) => <Inspection benchmark={data} />}</Answered>
    </Page>
  );
}

function Inspection({ benchmark }: { benchmark: Benchmark }) {
  const { t } = useTranslation("images");
  const { slug, categories } = benchmark;
  const name = useLocalised();
  const format = useFormat();
  const rules = useMemo(() => pictureRules(benchmark.protocol.content), [benchmark]);
  const [search, setSearch] = useSearchParams();
  const category = search.get("category") ?? "";
  const size = SIZES.find((one) => String(one) === search.get("size")) ?? 200;
  const counts = useRead("image_counts", { path: { b: slug } });
  const judging = useJudging(slug);
  const { flush, onJudged } = judging;
  const { batch, isTaking, error, isLost, take, put } = useBatch(slug, size, category, flush);
  useEffect(() => onJudged(put), [onJudged, put]);

  const filter = (key: string, value: string) => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(key);
    else next.set(key, value);
    setSearch(next, { replace: true });
  };
  const images = batch?.images ?? [];
  const decided = images.filter((image) => image.state !== "received" || judging.decisions.get(image.id)?.verdict !== undefined).length;
  const conflicts = images.filter((image) => judging.decisions.get(image.id)?.conflict !== undefined).length;
  const isDone = batch !== null && decided + conflicts >= images.length && !isTaking;
  const next = () => {
    void flush().then((all) => (all ? take() : undefined));
  };
  useActions(inspectActions, { isDone, next });
  const status = (image: Image) => counts.data && <QuotaOf counts={counts.data} decisions={judging.decisions} image={image} />;
  const clock = (iso: string) => format.time(iso);

  return (
    <>
      <div className="grid-filters">
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
        <div className="chips" role="group" aria-label={t("inspect.size")}>
          {SIZES.map((one) => (
            <button key={one} type="button" className="chip" aria-pressed={one === size} onClick={() => filter("size", one === 200 ? "" : String(one))}>
              {t("inspect.sizeOf", { count: one })}
            </button>
          ))}
        </div>
      </div>
      {batch !== null && images.length > 0 && (
        <div className="inspect-head">
          <span className="number" data-testid="decided">
            {t("inspect.decided", { decided, size: images.length })}
          </span>
          <Meter value={decided} of={images.length} label={t("inspect.progress")} />
          {batch.until !== null && (
            <span className="dim number" data-testid="held-until">
              {t("inspect.until", { time: clock(batch.until) })}
            </span>
          )}
          {batch.heldByOthers > 0 && (
            <span className="dim" data-testid="held-by-others">
              {t("inspect.others", { count: batch.heldByOthers })}
            </span>
          )}
          {judging.unsent > 0 && (
            <span className="dim" data-testid="unsent">
              {t("inspect.unsent", { count: judging.unsent })}
            </span>
          )}
          <Button small look={isDone ? "primary" : undefined} keys="Mod+Enter" disabled={!isDone} busy={isTaking} onClick={next} data-testid="next-batch">
            {t("inspect.next")}
          </Button>
        </div>
      )}
      {counts.data && counts.data.by_category.length > 0 && (
        <Quota counts={counts.data} categories={categories} decisions={judging.decisions} hrefOf={(one) => `/b/${slug}/pictures/inspect?category=${encodeURIComponent(one)}`} />
      )}
      {isLost && (
        <Notice tone="warn" action={<Button small onClick={next}>{t("inspect.again")}</Button>}>
          {t("inspect.lost")}
        </Notice>
      )}
      {judging.problem && <Problem error={judging.problem} onRetry={() => void flush()} />}
      {error && <Problem error={error} onRetry={() => void take()} />}
      {batch === null && error === null && <Loading />}
      {batch !== null && images.length === 0 && (
        <Empty
          title={t("inspect.empty")}
          actions={
            <Button onClick={() => void take()} busy={isTaking}>
              {t("inspect.again")}
            </Button>
          }
        >
          {batch.heldByOthers > 0
            ? t("inspect.emptyOthers", { count: batch.heldByOthers, time: batch.othersUntil === null ? "" : clock(batch.othersUntil) })
            : t("inspect.emptyText")}
        </Empty>
      )}
      {images.length > 0 && (
        <JudgeGrid key={images[0]?.id} rows={images} slug={slug} rules={rules} categories={categories} judging={judging} hasFocus status={status} />
      )}
    </>
  );
}
