/** Bringing pictures in: a card per file, details for many at once, then numbered pictures. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { inProtocol, useBenchmark, useSlug } from "@/api/benchmark";
import { useMe, useSessionBenchmark } from "@/api/session";
import type { Benchmark } from "@/api/types";
import { useStore } from "@/store/useStore";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { pictureRules } from "../protocol";
import { indexOf, moveTo, nothing, selectAll, tick, tickRange, type Selection } from "../selection";
import { DetailsForm } from "./DetailsForm";
import { missingIn } from "./details";
import { IntakeBar } from "./IntakeBar";
import { intakeActions } from "./intakeActions";
import { intakeOf } from "./intakeOf";
import { isOpen, isIncomplete, CARD_FILTERS, CARD_FILTER_NAMES, type CardFilter } from "./cardFilters";
import { Sources } from "./Sources";
import { UploadCard } from "./UploadCard";
import styles from "./intake.module.css";

export function IntakePage() {
  const { t } = useTranslation("images");
  const slug = useSlug();
  const benchmark = useBenchmark(slug);
  return (
    <Page title={t("intake.title")} lead={t("intake.lead")} actions={<ButtonLink to={`/b/${slug}/pictures`}>{t("intake.toGrid")}</ButtonLink>}>
      <Loaded of={benchmark}>{(data) => (isUndecided(data) ? <BoardFirst slug={slug} /> : <Desk benchmark={data} />)}</Loaded>
    </Page>
  );
}

/** Whether the board decides on the categories and its list is not frozen yet: the server refuses every picture. */
function isUndecided({ protocol, categories }: Benchmark): boolean {
  return categories.length === 0 && inProtocol(protocol.content, "taxonomy", "list", "board") === true;
}

function BoardFirst({ slug }: { slug: string }) {
  const { t } = useTranslation("images");
  return (
    <Empty title={t("intake.boardFirst")} actions={<ButtonLink to={`/b/${slug}/category-board`}>{t("board:title")}</ButtonLink>}>
      {t("intake.boardFirstText")}
    </Empty>
  );
}

function Desk({ benchmark }: { benchmark: Benchmark }) {
  const { t } = useTranslation("images");
  const client = useQueryClient();
  const me = useMe();
  const rules = useMemo(() => pictureRules(benchmark.protocol.content), [benchmark]);
  const teams = useSessionBenchmark(benchmark.slug)?.teams ?? [];
  const intake = intakeOf(benchmark.slug, me.id, client, (details) => missingIn(details, rules, teams));
  const { cards, problem, worker } = useStore(intake);
  const [search, setSearch] = useSearchParams();
  const show = CARD_FILTER_NAMES.find((one) => one === search.get("show"));
  const [selection, setSelection] = useState<Selection<string>>(nothing);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => void intake.load(), [intake]);

  const shown = show === undefined ? cards : cards.filter(CARD_FILTERS[show]);
  const order = shown.map((card) => card.key);
  const chosen = cards.filter((card) => selection.chosen.has(card.key) && card.state !== "taken");
  const open = cards.filter(isOpen);
  const described = chosen.length > 0 ? chosen : open;
  const counts = Object.fromEntries(CARD_FILTER_NAMES.map((one) => [one, cards.filter(CARD_FILTERS[one]).length])) as Record<CardFilter, number>;
  const at = order[indexOf(selection, order)];

  const orderNow = useRef(order);
  useEffect(() => {
    orderNow.current = order;
  });
  const onTick = useCallback((key: string, isRange: boolean) => setSelection((old) => (isRange ? tickRange(old, key, orderNow.current) : tick(old, key))), []);
  const onFetched = useCallback(() => intake.refresh(), [intake]);
  const onRetry = useCallback((key: string) => intake.retry(key), [intake]);
  const onRemove = useCallback((key: string) => intake.remove([key]), [intake]);
  const add = (files: File[]) => {
    const { known } = intake.add(files);
    if (known > 0) toasts.show(t("intake.known", { count: known }));
  };
  const choose = (name: CardFilter | "") => {
    const next = new URLSearchParams(search);
    if (name === "") next.delete("show");
    else next.set("show", name);
    setSearch(next, { replace: true });
  };
  const selectMissing = () => setSelection(selectAll(cards.filter(isIncomplete).map((card) => card.key)));

  useActions(intakeActions, {
    shown: shown.length,
    chosen: selection.chosen.size,
    missing: counts.missing,
    ready: counts.ready,
    choose: () => input.current?.click(),
    move: (by, extend) => {
      const next = moveTo(selection, indexOf(selection, order) + by, order, extend);
      setSelection(extend ? next : { ...next, chosen: selection.chosen });
      const card = list.current?.children[indexOf(next, order)];
      card?.querySelector<HTMLElement>("input")?.focus({ preventScroll: true });
      card?.scrollIntoView({ block: "nearest" });
    },
    selectAll: () => setSelection(selectAll(order)),
    selectMissing,
    clearSelection: () => setSelection(nothing()),
    remove: () => intake.remove(chosen.map((card) => card.key)),
    take: () => void intake.accept(),
  });

  return (
    <div className={cards.length === 0 ? `${styles.intake} ${styles.intakeEmpty}` : styles.intake}>
      <div className={styles.intakeTop}>
        <Sources slug={benchmark.slug} rules={rules} input={input} isSmall={cards.length > 0} onFiles={add} onFetched={onFetched} />
        {!worker.alive && worker.waiting > 0 && (
          <div data-testid="no-worker">
            <Notice tone="warn">{t("intake.noWorker", { count: worker.waiting })}</Notice>
          </div>
        )}
        {problem && <Problem error={problem} onRetry={() => void intake.load()} />}
      </div>
      {cards.length > 0 && (
        <>
          <aside className={styles.intakeSide}>
            <DetailsForm
              cards={described}
              areChosen={chosen.length > 0}
              rules={rules}
              categories={benchmark.categories}
              axes={benchmark.axes}
              teams={teams}
              team={Number(search.get("team")) || undefined}
              onApply={(touched) => intake.describe(described.map((card) => card.key), touched)}
            />
          </aside>
          <section aria-label={t("intake.list")} className={styles.intakeList}>
            <IntakeBar
              intake={intake}
              shown={show}
              counts={counts}
              chosen={chosen}
              selected={selection.chosen.size}
              onShow={choose}
              onSelectAll={() => setSelection(selectAll(order))}
              onSelectNone={() => setSelection(nothing())}
              onSelectMissing={selectMissing}
            />
            <ul className="uploads" ref={list} data-testid="uploads">
              {shown.map((card) => (
                <UploadCard
                  key={card.key}
                  card={card}
                  slug={benchmark.slug}
                  rules={rules}
                  categories={benchmark.categories}
                  axes={benchmark.axes}
                  isAt={card.key === at}
                  isChosen={selection.chosen.has(card.key)}
                  onTick={onTick}
                  onRetry={onRetry}
                  onRemove={onRemove}
                />
              ))}
            </ul>
          </section>
        </>
      )}
    </div>
  );
}
