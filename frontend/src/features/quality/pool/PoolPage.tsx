/** Judging out of a pool: take a few items, judge each, take more; what is not judged goes back to the others. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { poolsIn, useBenchmark, useSlug, type PoolPurpose } from "@/api/benchmark";
import { queryKey, useRead, useWrite } from "@/api/queries";
import { useSessionBenchmark } from "@/api/session";
import type { PoolItem, PoolSheet } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { FullPicture } from "@/kinds/FullPicture";
import type { Content } from "@/kinds/kind";
import { contentLanguage } from "@/kinds/language";
import { KIND_NAMES, kindView } from "@/kinds/registry";
import { Answered } from "@/ui/Answered";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/Field";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { poolInspectActions, poolReviewActions } from "../actions";
import { InspectCard } from "../inspect/InspectCard";
import { useInspectVerdicts, type InspectVerdict } from "../inspect/verdicts";
import { ReviewCard, type CardForm } from "../review/ReviewCard";
import { useReviewVerdicts, type ReviewVerdict } from "../review/verdicts";
import { columnsOf } from "../SheetCard";
import { EmptyPool } from "./EmptyPool";
import type { SeatRow } from "./poolSeats";
import { usePoolSeats } from "./usePoolSeats";
import "../quality.css";

export function PoolPage() {
  const { t } = useTranslation("quality");
  const slug = useSlug();
  const purpose: PoolPurpose = useParams().purpose === "inspection" ? "inspection" : "review";
  const [search, setSearch] = useSearchParams();
  const benchmark = useBenchmark(slug);
  const kinds = (useSessionBenchmark(slug)?.kinds ?? []).filter((one) => KIND_NAMES.includes(one));
  const kind = search.get("kind") ?? kinds[0] ?? "";
  const isOpen = poolsIn(benchmark.data?.protocol.content).includes(purpose);
  const pool = useRead(
    "pool_show",
    { path: { b: slug, purpose }, query: { kind } },
    { fresh: true, enabled: isOpen && kind !== "", refetchInterval: 30_000 },
  );
  return (
    <Page
      title={t(`pool.title.${purpose}`)}
      lead={t(`pool.lead.${purpose}`)}
      actions={
        kinds.length > 1 && (
          <SelectField label={t("pool.kind")} value={kind} onChange={(event) => setSearch({ kind: event.target.value })}>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {t(`ui:kind.${one}`)}
              </option>
            ))}
          </SelectField>
        )
      }
    >
      {benchmark.data && !isOpen ? (
        <Empty title={t("pool.closed.title")} actions={<ButtonLink to={`/b/${slug}/work`}>{t("pool.closed.go")}</ButtonLink>}>
          {t("pool.closed.text")}
        </Empty>
      ) : (
        <Answered of={pool}>
          {(data) =>
            purpose === "review" ? (
              <ReviewPool key={kind} pool={data} slug={slug} />
            ) : (
              <InspectionPool key={kind} pool={data} slug={slug} />
            )
          }
        </Answered>
      )}
    </Page>
  );
}

interface PoolProps {
  pool: PoolSheet;
  slug: string;
}

/** Held verdicts of either purpose. */
interface HeldOnes {
  withdraw: (id: number) => Promise<void>;
  flush: () => Promise<boolean>;
  snapshot: () => readonly { itemId: number }[];
}

/** What both purposes do with seats: take, tell what was lost, hand back on leaving, know which card is next. */
function usePool({ pool, slug }: PoolProps, purpose: PoolPurpose, { seats, rows }: ReturnType<typeof usePoolSeats>, held: HeldOnes) {
  const { t } = useTranslation("quality");
  const queries = useQueryClient();
  const [at, setAt] = useState(0);
  const [count, setCount] = useState<number | null>(null);
  const tell = useEffectEvent((items: readonly PoolItem[]) => {
    // A verdict that was still held for undo has no seat any more.
    for (const item of items) void held.withdraw(item.id);
    toasts.show(t("pool.lostToast", { number: items.length }));
  });
  useEffect(() => seats.onLost((items) => tell(items)), [seats]);
  // What is decided is sent before the rest is handed back.
  const leave = useEffectEvent(() => void held.flush().then(() => seats.release()));
  useEffect(() => () => leave(), []);
  const claim = useWrite("pool_claim");
  // What is decided leaves the hand before more is taken.
  const decided = new Set(held.snapshot().map((one) => one.itemId));
  const room = Math.max(0, pool.held_maximum - rows.filter((row) => row.state === "held" && !decided.has(row.item.id)).length);
  const wanted = Math.min(count ?? room, room);
  const key = queryKey("pool_show", { path: { b: slug, purpose }, query: { kind: pool.kind } });
  async function take() {
    if (wanted === 0 || !(await held.flush())) return;
    claim.mutate(
      { path: { b: slug, purpose }, body: { kind: pool.kind, count: wanted } },
      {
        onSuccess: (answer) => {
          queries.setQueryData(key, answer);
          seats.take(answer.items);
          setAt(0);
        },
        onError: () => void queries.invalidateQueries({ queryKey: ["pool_show"] }),
      },
    );
  }
  return { rows, at, setAt, claim, room, wanted, setCount, take };
}

type Pooled = ReturnType<typeof usePool>;

function ReviewPool({ pool, slug }: PoolProps) {
  const { t } = useTranslation("quality");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const lang = contentLanguage(useBenchmark(slug).data);
  const view = kindView(pool.kind);
  const [form, setForm] = useState<{ item: number; name: CardForm } | null>(null);
  const [looking, setLooking] = useState(false);
  const own = usePoolSeats(slug, "review", pool);
  const verdicts = useReviewVerdicts(
    (id) => own.seats.find(id),
    (item) => {
      own.seats.judged(item.id, item);
      void queries.invalidateQueries({ queryKey: ["pool_show"] });
    },
  );
  const { held, heldOf } = verdicts;
  const pooled = usePool({ pool, slug }, "review", own, held);
  const { rows, at, setAt } = pooled;
  const current = rows[at];
  const isUndecided = (row: SeatRow) => row.state === "held" && heldOf(row.item) === undefined;
  const canJudge = (row: SeatRow) => row.state === "held" && (isUndecided(row) || heldOf(row.item)?.state === "held");
  const undecided = rows.filter(isUndecided).length;

  function judge(item: PoolItem, verdict: Omit<ReviewVerdict, "revisionNo">) {
    held.hold(item.id, { ...verdict, revisionNo: item.revision_no });
    setForm(null);
    setAt(nextOf(rows, item, isUndecided));
  }
  async function correct(item: PoolItem, content: Content, overrides: Record<string, string>) {
    if (!(await verdicts.correct(item, content, overrides))) return;
    setForm(null);
    toasts.show(t("corrected", { label: item.label }));
    setAt(nextOf(rows, item, isUndecided));
  }
  useActions(poolReviewActions, {
    mayJudge: current !== undefined && canJudge(current),
    canUndo: held.canUndo,
    accept: () =>
      current && judge(current.item, { outcome: current.item.state === "skipped" ? "agree" : "accept", reasons: [], comment: "" }),
    correct: current && current.item.state !== "skipped" ? () => setForm({ item: current.item.id, name: "correct" }) : null,
    refuse: () => current && setForm({ item: current.item.id, name: "return" }),
    move: (step) => setAt(Math.min(rows.length - 1, Math.max(0, at + step))),
    moveRow: (step) => setAt(Math.min(rows.length - 1, Math.max(0, at + step))),
    look: () => current && setLooking(true),
    undo: () => undoIn(rows, held.undo(), setAt),
    complete: undecided === 0 && pooled.wanted > 0 ? () => void pooled.take() : null,
    leave: () => void navigate(`/b/${slug}/work`),
  });
  if (!view) return <Empty title={t("pool.title.review")}>{t("unknownKind")}</Empty>;
  return (
    <>
      <PoolHead pool={pool} pooled={pooled} undecided={undecided} canUndo={held.canUndo} onUndo={() => undoIn(rows, held.undo(), setAt)} />
      {rows.length === 0 && <EmptyPool pool={pool} error={pooled.claim.error} />}
      <ol className="judge-sheet">
        {rows.map((row, index) => (
          <ReviewCard
            key={row.item.seat}
            item={row.item}
            held={heldOf(row.item)}
            rules={pool.rules}
            view={view}
            lang={lang}
            selected={index === at}
            canJudge={canJudge(row)}
            form={form?.item === row.item.id && row.state === "held" ? form.name : null}
            correcting={verdicts.correcting}
            correctError={verdicts.correctError}
            note={<SeatNote row={row} />}
            onSelect={() => setAt(index)}
            onLook={() => setLooking(true)}
            onForm={(name) => {
              verdicts.forgetError();
              setForm(name === null ? null : { item: row.item.id, name });
            }}
            onVerdict={(verdict) => judge(row.item, verdict)}
            onCorrect={(content, overrides) => void correct(row.item, content, overrides)}
          />
        ))}
      </ol>
      {looking && current && <FullPicture image={current.item.image} onClose={() => setLooking(false)} />}
    </>
  );
}

function InspectionPool({ pool, slug }: PoolProps) {
  const { t } = useTranslation("quality");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const lang = contentLanguage(useBenchmark(slug).data);
  const view = kindView(pool.kind);
  const [refusing, setRefusing] = useState<number | null>(null);
  const [looking, setLooking] = useState(false);
  const [given, setGiven] = useState<ReadonlyMap<number, InspectVerdict>>(new Map());
  const cards = useRef<HTMLOListElement>(null);
  const own = usePoolSeats(slug, "inspection", pool);
  const { held, list } = useInspectVerdicts((item) => {
    own.seats.judged(item.id, {});
    void queries.invalidateQueries({ queryKey: ["pool_show"] });
  });
  const heldOf = (item: PoolItem) => list.find((one) => one.itemId === item.id);
  const pooled = usePool({ pool, slug }, "inspection", own, held);
  const { rows, at, setAt } = pooled;
  const current = rows[at];
  const isUndecided = (row: SeatRow) => row.state === "held" && heldOf(row.item) === undefined;
  const canJudge = (row: SeatRow) => row.state === "held" && (isUndecided(row) || heldOf(row.item)?.state === "held");
  const undecided = rows.filter(isUndecided).length;

  function judge(item: PoolItem, verdict: Omit<InspectVerdict, "revisionNo">) {
    const whole = { ...verdict, revisionNo: item.revision_no };
    held.hold(item.id, whole);
    setGiven(new Map(given).set(item.id, whole));
    setRefusing(null);
    setAt(nextOf(rows, item, isUndecided));
  }
  const move = (step: number) => setAt(Math.min(rows.length - 1, Math.max(0, at + step)));
  useActions(poolInspectActions, {
    mayJudge: current !== undefined && canJudge(current),
    canUndo: held.canUndo,
    accept: () => current && judge(current.item, { outcome: "right", reasons: [], comment: "" }),
    correct: null,
    refuse: () => current && setRefusing(current.item.id),
    move,
    moveRow: (step) => move(step * columnsOf(cards.current)),
    look: () => current && setLooking(true),
    undo: () => undoIn(rows, held.undo(), setAt),
    complete: undecided === 0 && pooled.wanted > 0 ? () => void pooled.take() : null,
    leave: () => void navigate(`/b/${slug}/work`),
  });
  if (!view) return <Empty title={t("pool.title.inspection")}>{t("unknownKind")}</Empty>;
  return (
    <>
      <PoolHead pool={pool} pooled={pooled} undecided={undecided} canUndo={held.canUndo} onUndo={() => undoIn(rows, held.undo(), setAt)} />
      {rows.length === 0 && <EmptyPool pool={pool} error={pooled.claim.error} />}
      <ol className="inspect-sheet" ref={cards}>
        {rows.map((row, index) => {
          const sent = row.state === "done" ? given.get(row.item.id) : undefined;
          return (
            <InspectCard
              key={row.item.seat}
              item={row.item}
              held={heldOf(row.item)}
              given={sent ?? null}
              rules={pool.rules}
              view={view}
              lang={lang}
              selected={index === at}
              canJudge={canJudge(row)}
              refusing={refusing === row.item.id && row.state === "held"}
              note={
                <>
                  {row.item.label} · <SeatNote row={row} />
                </>
              }
              onSelect={() => setAt(index)}
              onLook={() => setLooking(true)}
              onRefusing={(open) => setRefusing(open ? row.item.id : null)}
              onVerdict={(verdict) => judge(row.item, verdict)}
            />
          );
        })}
      </ol>
      {looking && current && <FullPicture image={current.item.image} onClose={() => setLooking(false)} />}
    </>
  );
}

/** The first item after this one, or from the beginning on, that is not decided; else where one is. */
function nextOf(rows: readonly SeatRow[], item: PoolItem, isUndecided: (row: SeatRow) => boolean): number {
  const here = rows.findIndex((row) => row.item.id === item.id);
  const open = (row: SeatRow) => row.item.id !== item.id && isUndecided(row);
  const after = rows.findIndex((row, index) => index > here && open(row));
  if (after !== -1) return after;
  const first = rows.findIndex(open);
  return first === -1 ? here : first;
}

function undoIn(rows: readonly SeatRow[], itemId: number | null, setAt: (at: number) => void): void {
  const index = rows.findIndex((row) => row.item.id === itemId);
  if (index !== -1) setAt(index);
}

interface PoolHeadProps {
  pool: PoolSheet;
  pooled: Pooled;
  undecided: number;
  canUndo: boolean;
  onUndo: () => void;
}

/** How the pool stands, how long what one holds is kept, and taking more. */
function PoolHead({ pool, pooled, undecided, canUndo, onUndo }: PoolHeadProps) {
  const { t } = useTranslation("quality");
  const format = useFormat();
  const { rows, claim, room, wanted } = pooled;
  const leases = rows.filter((row) => row.state === "held").map((row) => row.item.lease_until);
  const until = leases.sort()[0];
  const lost = rows.filter((row) => row.state === "lost").length;
  return (
    <div className="pool-head">
      <dl className="pool-counts" data-testid="pool-counts">
        {(["free", "held", "done"] as const).map((name) => (
          <div key={name}>
            <dt>{t(`pool.count.${name}`)}</dt>
            <dd className="number" data-testid={`pool-${name}`}>
              {format.number(pool[name])}
            </dd>
          </div>
        ))}
      </dl>
      <p className="dim pool-lease" data-testid="lease">
        {until === undefined
          ? t("pool.people", { people: pool.people, maximum: pool.held_maximum })
          : t("pool.lease", { number: leases.length, time: format.time(until) })}
      </p>
      <div className="row-actions">
        <Button small keys="z" disabled={!canUndo} onClick={onUndo} data-testid="undo">
          {t("action.undo")}
        </Button>
        {room > 1 && (
          <select
            className="input pool-count"
            aria-label={t("pool.howMany")}
            value={wanted}
            onChange={(event) => pooled.setCount(Number(event.target.value))}
            data-testid="pool-how-many"
          >
            {Array.from({ length: room }, (_, index) => (
              <option key={index + 1} value={index + 1}>
                {index + 1}
              </option>
            ))}
          </select>
        )}
        <Button
          small
          look={undecided === 0 ? "primary" : undefined}
          keys="Mod+Enter"
          busy={claim.isPending}
          disabled={wanted === 0 || undecided > 0}
          onClick={() => void pooled.take()}
          data-testid="pool-take"
        >
          {wanted === 0 ? t("pool.full") : t("pool.take", { number: wanted })}
        </Button>
      </div>
      {lost > 0 && <Notice tone="warn">{t("pool.lost", { number: lost })}</Notice>}
      {claim.error && rows.length > 0 && <Problem error={claim.error} />}
    </div>
  );
}

/** The package an item is of, and whether it is still the reader's to judge. */
function SeatNote({ row }: { row: SeatRow }) {
  const { t } = useTranslation("quality");
  return (
    <>
      {row.item.package_label} {row.state === "lost" && <Chip tone="warn">{t("pool.seatLost")}</Chip>}
    </>
  );
}
