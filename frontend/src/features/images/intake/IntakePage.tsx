/** Bringing pictures in: a card per file, details for many at once, then numbered pictures. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useMe } from "@/api/session";
import type { Benchmark } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useStore } from "@/store/useStore";
import { Answered } from "@/ui/Answered";
import { Button, ButtonLink } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { pictureRules } from "../protocol";
import { indexOf, moveTo, nothing, selectAll, tick, tickRange, type Selection } from "../selection";
import { DetailsForm } from "./DetailsForm";
import { missingIn } from "./details";
import { DropZone } from "./DropZone";
import { isTakeable, type Card } from "./cards";
import { intakeActions } from "./intakeActions";
import { intakeOf } from "./intakeOf";
import { UploadCard } from "./UploadCard";
import "../images.css";

export function IntakePage() {
  const { t } = useTranslation("images");
  const slug = useSlug();
  const benchmark = useBenchmark(slug);
  return (
    <Page title={t("intake.title")} lead={t("intake.lead")} actions={<ButtonLink to={`/b/${slug}/pictures`}>{t("intake.toGrid")}</ButtonLink>}>
      <Answered of={benchmark}>{(data) => <Desk benchmark={data} />}</Answered>
    </Page>
  );
}

const SHOWN = {
  moving: (card: Card) => ["queued", "sending", "offline", "interrupted", "checking"].includes(card.state),
  missing: (card: Card) => lacks(card),
  ready: isTakeable,
  refused: (card: Card) => card.state === "refused" || card.state === "failed",
  taken: (card: Card) => card.state === "taken" && card.row?.kind !== "zip",
} as const;
type ShownName = keyof typeof SHOWN;
const SHOWN_NAMES = Object.keys(SHOWN) as ShownName[];

/** Whether something is still to be said of it. */
function lacks(card: Card): boolean {
  return card.missing.length > 0 && card.row?.kind !== "zip" && !["refused", "failed", "taken"].includes(card.state);
}

/** What is said of an archive before it is unpacked goes to everything in it. */
function isOpen(card: Card): boolean {
  return !["refused", "failed", "taken"].includes(card.state);
}

function Desk({ benchmark }: { benchmark: Benchmark }) {
  const { t } = useTranslation("images");
  const format = useFormat();
  const client = useQueryClient();
  const me = useMe();
  const rules = useMemo(() => pictureRules(benchmark.protocol.content), [benchmark]);
  const intake = intakeOf(benchmark.slug, me.id, client, (details) => missingIn(details, rules));
  const { cards, isTaking, problem, worker } = useStore(intake);
  const [search, setSearch] = useSearchParams();
  const show = SHOWN_NAMES.find((one) => one === search.get("show"));
  const [selection, setSelection] = useState<Selection<string>>(nothing);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => void intake.load(), [intake]);

  const shown = show === undefined ? cards : cards.filter(SHOWN[show]);
  const order = shown.map((card) => card.key);
  const chosen = cards.filter((card) => selection.chosen.has(card.key) && card.state !== "taken");
  const open = cards.filter(isOpen);
  const described = chosen.length > 0 ? chosen : open;
  const ready = cards.filter(isTakeable).length;
  const counts = Object.fromEntries(SHOWN_NAMES.map((one) => [one, cards.filter(SHOWN[one]).length])) as Record<ShownName, number>;
  const at = order[indexOf(selection, order)];

  const orderNow = useRef(order);
  useEffect(() => {
    orderNow.current = order;
  });
  const onTick = useCallback((key: string, isRange: boolean) => setSelection((old) => (isRange ? tickRange(old, key, orderNow.current) : tick(old, key))), []);
  const onRetry = useCallback((key: string) => intake.retry(key), [intake]);
  const onRemove = useCallback((key: string) => intake.remove([key]), [intake]);
  const add = (files: File[]) => {
    const { known } = intake.add(files);
    if (known > 0) toasts.show(t("intake.known", { count: known }));
  };
  const choose = (name: ShownName | "") => {
    const next = new URLSearchParams(search);
    if (name === "") next.delete("show");
    else next.set("show", name);
    setSearch(next, { replace: true });
  };
  const selectMissing = () => setSelection(selectAll(cards.filter(lacks).map((card) => card.key)));

  useActions(intakeActions, {
    shown: shown.length,
    chosen: selection.chosen.size,
    missing: counts.missing,
    ready,
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
    letGo: () => setSelection(nothing()),
    remove: () => intake.remove(chosen.map((card) => card.key)),
    take: () => void intake.accept(),
  });

  return (
    <div className={cards.length === 0 ? "intake intake-empty" : "intake"}>
      <div className="intake-top">
        <DropZone rules={rules} input={input} isSmall={cards.length > 0} onFiles={add} />
        {!worker.alive && worker.waiting > 0 && (
          <div data-testid="no-worker">
            <Notice tone="warn">{t("intake.noWorker", { count: worker.waiting })}</Notice>
          </div>
        )}
        {problem && <Problem error={problem} onRetry={() => void intake.load()} />}
      </div>
      {cards.length > 0 && (
        <>
          <aside className="intake-side">
            <DetailsForm
              cards={described}
              areChosen={chosen.length > 0}
              rules={rules}
              categories={benchmark.categories}
              onApply={(touched) => intake.describe(described.map((card) => card.key), touched)}
            />
          </aside>
          <section aria-label={t("intake.list")} className="intake-list">
            <div className="intake-bar">
              <div className="chips" role="group" aria-label={t("intake.show")}>
                <FilterChip isOn={show === undefined} onChoose={() => choose("")} testId="show-all">
                  {t("all")} <span className="number">{format.number(cards.length)}</span>
                </FilterChip>
                {SHOWN_NAMES.filter((one) => counts[one] > 0 || one === show).map((one) => (
                  <FilterChip key={one} isOn={show === one} onChoose={() => choose(one)} testId={`show-${one}`}>
                    {t(`intake.shown.${one}`)} <span className="number">{format.number(counts[one])}</span>
                  </FilterChip>
                ))}
              </div>
              <div className="row-actions intake-choose">
                <Button small onClick={() => setSelection(selection.chosen.size > 0 ? nothing() : selectAll(order))} data-testid="select-all">
                  {selection.chosen.size > 0 ? t("intake.letGo") : t("intake.selectAll")}
                </Button>
                {counts.missing > 0 && (
                  <Button small keys="m" onClick={selectMissing} data-testid="select-missing">
                    {t("intake.selectMissing")}
                  </Button>
                )}
                {chosen.length > 0 && (
                  <Button small look="danger" onClick={() => intake.remove(chosen.map((card) => card.key))} data-testid="remove-chosen">
                    {t("intake.removeChosen")}
                  </Button>
                )}
                {cards.some((card) => card.state === "taken") && (
                  <Button small look="plain" onClick={() => intake.clearAccepted()} data-testid="clear-taken">
                    {t("intake.clearTaken")}
                  </Button>
                )}
              </div>
              <div className="intake-take">
                <span className="dim number" role="status" data-testid="upload-counts">
                  {chosen.length > 0 ? t("chosen", { count: chosen.length }) : t("intake.counts", { all: cards.length, taken: counts.taken, refused: counts.refused })}
                </span>
                <Button look="primary" keys="Mod+Enter" disabled={ready === 0} busy={isTaking} onClick={() => void intake.accept()} data-testid="take-in">
                  {t("intake.take", { count: ready })}
                </Button>
              </div>
            </div>
            <ul className="uploads" ref={list} data-testid="uploads">
              {shown.map((card) => (
                <UploadCard
                  key={card.key}
                  card={card}
                  slug={benchmark.slug}
                  rules={rules}
                  categories={benchmark.categories}
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

function FilterChip({ isOn, onChoose, testId, children }: { isOn: boolean; onChoose: () => void; testId: string; children: React.ReactNode }) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={onChoose} data-testid={testId}>
      {children}
    </button>
  );
}
