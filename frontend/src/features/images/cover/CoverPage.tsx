/** Pictures that no one has checked for personal information yet, one after the other: covering, and the tick. */
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { call } from "@/api/client";
import { queryKey, useList, useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { CoverDetail, CoverRow, Image } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Loading } from "@/ui/Loading";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem, useErrorText } from "@/ui/Problem";
import { useActions } from "@/ui/keys";
import { useBatch, type Reservation } from "../grid/useBatch";
import { endActions } from "./coverActions";
import { CoverPicture } from "./CoverPicture";
import { useCoverQueue } from "./coverQueue";
import styles from "./cover.module.css";

/** Pictures reserved at once. */
const BATCH = 20;
/** Between two looks whether a picture was searched. */
const SEARCH_POLL_MS = 3_000;
/** Pictures whose regions and pixels are fetched ahead. */
const AHEAD = 2;

export function CoverPage() {
  const { t } = useTranslation("images");
  const slug = useSlug();
  const may = useMay(slug);
  const [search] = useSearchParams();
  const only = Number(search.get("image") ?? "");
  return (
    <Page title={t("cover.title")} lead={t("cover.lead")} actions={<ButtonLink to={`/b/${slug}/pictures`}>{t("toGrid")}</ButtonLink>}>
      {only > 0 ? <OnePicture slug={slug} id={only} /> : may("cover_hold") ? <Reserved slug={slug} /> : <OwnPictures slug={slug} />}
    </Page>
  );
}

type Queue = ReturnType<typeof useCoverQueue>;

/** A curator's pictures, reserved in batches. */
function Reserved({ slug }: { slug: string }) {
  const { t } = useTranslation("images");
  const format = useFormat();
  const queue = useCoverQueue();
  const reservation = useMemo((): Reservation<CoverRow> => {
    const path = { b: slug };
    return {
      // Behind the last picture it begins again: earlier ones may have been with others, or were passed over.
      hold: async (after) => {
        const next = await call("cover_hold", { path, body: { size: BATCH, after, proposed: false } });
        return next.images.length > 0 || after === 0 ? next : call("cover_hold", { path, body: { size: BATCH, after: 0, proposed: false } });
      },
      renew: () => call("cover_hold_renew", { path }),
      release: () => call("cover_hold_release", { path }, { keepalive: true }),
    };
  }, [slug]);
  const { batch, error, isLost, take } = useBatch(reservation, queue.flush);
  const shown = useShown();
  // The last decision stays here for its seconds, in which it can be undone.
  const go = (after: number) => void take(after);
  const undone = (image: number) => {
    const number = shown.restore(image);
    if (number !== undefined) go(number - 1);
  };
  if (error) return <Problem error={error} onRetry={() => void take()} />;
  if (batch === null) return <Loading />;
  const images = batch.images.filter(({ id }) => !shown.shown.has(id));
  return (
    <>
      {isLost && (
        <Notice tone="warn" action={<Button small onClick={() => go(0)}>{t("inspect.again")}</Button>}>
          {t("inspect.expired")}
        </Notice>
      )}
      {images.length === 0 ? (
        <End
          queue={queue}
          passed={shown.passed}
          onAgain={() => {
            shown.forget();
            void queue.flush().then(() => go(0));
          }}
          onUndone={undone}
        >
          {batch.heldByOthers > 0
            ? t("inspect.emptyOthers", { count: batch.heldByOthers, time: batch.othersUntil === null ? "" : format.time(batch.othersUntil) })
            : t("cover.empty.text")}
        </End>
      ) : (
        <Series
          key={images.map(({ id }) => id).join()}
          slug={slug}
          ids={images.map(({ id }) => id)}
          queue={queue}
          isLater={shown.shown.size > 0}
          onSaved={shown.save}
          onUndone={undone}
          onEnd={() => {
            shown.show(images);
            go(images.at(-1)?.number ?? 0);
          }}
        />
      )}
    </>
  );
}

/** Which pictures were shown to their end, and which of them were passed over instead of saved. */
function useShown() {
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set());
  const [saved, setSaved] = useState<ReadonlySet<number>>(new Set());
  const numbers = useRef(new Map<number, number>());
  const without = (ids: ReadonlySet<number>, id: number) => new Set([...ids].filter((one) => one !== id));
  return {
    shown,
    passed: [...shown].filter((id) => !saved.has(id)).length,
    show: (images: readonly { readonly id: number; readonly number: number }[]) => {
      for (const { id, number } of images) numbers.current.set(id, number);
      setShown((old) => new Set([...old, ...images.map(({ id }) => id)]));
    },
    /** The decision on a picture of an earlier series was undone: it is to be shown again. Returns its number. */
    restore: (id: number) => {
      setShown((old) => without(old, id));
      setSaved((old) => without(old, id));
      return numbers.current.get(id);
    },
    save: (id: number) => setSaved((old) => new Set([...old, id])),
    forget: () => setShown(new Set()),
  };
}

/** A contributor's own pictures, the oldest first. */
function OwnPictures({ slug }: { slug: string }) {
  const { t } = useTranslation("images");
  const queue = useCoverQueue();
  const list = useList("image_list", { path: { b: slug }, query: { clear: false, sort: "number" } });
  const [first, setFirst] = useState<readonly Image[] | null>(null);
  // What a contributor covered waits for another person's tick; it comes again only when the page is opened again.
  const shown = useShown();
  const rows = list.rows.filter((image: Image) => image.available_actions.includes("image_cover") && image.tick === "unticked");
  // The pictures of the first answer: what is saved leaves the list, and the series must not jump.
  if (first === null && list.data !== undefined) setFirst(rows.filter(({ id }) => !shown.shown.has(id)));
  const go = () => void list.refetch().then(() => setFirst(null));
  const undone = (image: number) => {
    if (shown.restore(image) !== undefined) go();
  };
  return (
    <Loaded of={list}>
      {() =>
        first === null || first.length === 0 ? (
          <End
            queue={queue}
            passed={shown.passed}
            onAgain={() => {
              shown.forget();
              void queue.flush().then(go);
            }}
            onUndone={undone}
          >
            {t("cover.empty.own")}
          </End>
        ) : (
          <Series
            key={first[0]?.id}
            slug={slug}
            ids={first.map(({ id }) => id)}
            queue={queue}
            isLater={shown.shown.size > 0}
            onSaved={shown.save}
            onUndone={undone}
            onEnd={() => {
              shown.show(first);
              go();
            }}
          />
        )
      }
    </Loaded>
  );
}

function OnePicture({ slug, id }: { slug: string; id: number }) {
  const queue = useCoverQueue();
  return <Series slug={slug} ids={[id]} queue={queue} isOnly onEnd={() => void queue.flush()} />;
}

interface EndProps {
  queue: Queue;
  /** Pictures that were shown and not saved. */
  passed: number;
  onAgain: () => void;
  /** The decision on the last picture was undone: it is shown again. */
  onUndone: (image: number) => void;
  children: ReactNode;
}

/** After the last picture: nothing waits any more, or what was passed over does. */
function End({ queue, passed, onAgain, onUndone, children }: EndProps) {
  const { t } = useTranslation("images");
  const onUndo = () => {
    const image = queue.undo();
    if (image !== null) onUndone(image);
  };
  useActions(endActions, { canUndo: queue.canUndo, undo: onUndo });
  const again = (
    <Button onClick={onAgain} data-testid="cover-again">
      {t(passed > 0 ? "cover.passed.again" : "inspect.again")}
    </Button>
  );
  return (
    <>
      <Failures queue={queue} />
      <div className={styles.head}>
        <Button small keys="z" disabled={!queue.canUndo} onClick={onUndo} data-testid="cover-undo">
          {t("cover.action.undo")}
        </Button>
      </div>
      {passed > 0 ? (
        <Empty title={t("cover.passed.title", { count: passed })} actions={again}>
          {t("cover.passed.text")}
        </Empty>
      ) : (
        <Empty title={t("cover.empty.title")} actions={again}>
          {children}
        </Empty>
      )}
    </>
  );
}

interface SeriesProps {
  slug: string;
  ids: readonly number[];
  queue: Queue;
  /** The person came for this one picture: no other follows. */
  isOnly?: boolean;
  /** Other pictures came before, so that the focus may be on what is gone. */
  isLater?: boolean;
  onSaved?: (id: number) => void;
  /** A decision on a picture before this series was undone. */
  onUndone?: (image: number) => void;
  onEnd: () => void;
}

/** Pictures one after the other; the next ones are fetched and decoded meanwhile. */
function Series({ slug, ids, queue, isOnly = false, isLater = false, onSaved, onUndone, onEnd }: SeriesProps) {
  const { t } = useTranslation("images");
  const [at, setAt] = useState(0);
  const [isAtEnd, setIsAtEnd] = useState(false);
  const id = ids[Math.min(at, ids.length - 1)] ?? 0;
  const detail = useRead("image_regions", { path: { id } }, { refetchInterval: (answer) => (isSearched(answer as CoverDetail | undefined) ? SEARCH_POLL_MS : false) });
  usePrefetched(ids.slice(at + 1, at + 1 + AHEAD));
  const place = useLostFocus(detail.data?.image.id, isLater);
  const step = (by: number) => {
    setIsAtEnd(at + by >= ids.length);
    if (at + by >= ids.length) onEnd();
    else setAt(Math.max(0, at + by));
  };
  const undoneHere = ({ image, redaction_no: no }: CoverDetail) => (queue.undone?.image === image.id && queue.undone.no === no ? queue.undone : null);
  const undo = () => {
    const image = queue.undo();
    if (image === null) return;
    const place = ids.indexOf(image);
    if (place >= 0) setAt(place);
    else onUndone?.(image);
  };
  return (
    <>
      <Failures queue={queue} />
      <div className={styles.head}>
        <span className="number" data-testid="cover-at">
          {t("cover.at", { at: at + 1, count: ids.length })}
        </span>
        {ids.length > 1 && <Meter value={at} of={ids.length} label={t("cover.progress")} />}
      </div>
      {isAtEnd && isOnly && !queue.isSending && queue.failures.length === 0 && <Notice tone="good">{t("cover.saved")}</Notice>}
      <div ref={place} tabIndex={-1} role="group" aria-label={detail.data?.image.label} className={styles.place}>
        <Loaded of={detail}>
          {(data: CoverDetail) => (
            <CoverPicture
              key={`${data.image.id} ${data.redaction_no} ${undoneHere(data)?.tickKey ?? ""}`}
              slug={slug}
              detail={data}
              hasNext={!isOnly}
              canUndo={queue.canUndo}
              isSending={isOnly && queue.isSending}
              undone={undoneHere(data)?.regions ?? []}
              onNext={() => step(1)}
              onPrevious={() => step(-1)}
              onUndo={undo}
              onSave={(regions, isTicked) => {
                queue.add({ slug, image: data.image.id, label: data.image.label, no: data.redaction_no, regions, isTicked });
                onSaved?.(data.image.id);
                step(1);
              }}
            />
          )}
        </Loaded>
      </div>
    </>
  );
}

/** Whether a search may still be running or will start: pictures that someone marked, or that are out of use, wait for none. */
function isSearched(detail: CoverDetail | undefined): boolean {
  return detail !== undefined && detail.pending.length > 0 && detail.tick !== "clear" && ["received", "accepted"].includes(detail.image.state);
}

/**
 * Give the next picture the focus if what had it went with the one before, so that it is read out and Tab begins at it; and
 * bring it into the window if its upper edge is above, as on a telephone, where the buttons are far below the picture.
 */
function useLostFocus(picture: number | undefined, isLater: boolean) {
  const place = useRef<HTMLDivElement>(null);
  const isNext = useRef(isLater);
  useEffect(() => {
    if (picture === undefined) return;
    if (isNext.current && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
    if (isNext.current && (place.current?.getBoundingClientRect().top ?? 0) < 0) place.current?.scrollIntoView({ block: "start" });
    isNext.current = true;
  }, [picture]);
  return place;
}

/** What the server refused, beside the way back to the picture. */
function Failures({ queue }: { queue: Queue }) {
  const { t } = useTranslation("images");
  const slug = useSlug();
  const errorText = useErrorText();
  return (
    <>
      {queue.problem && <Problem error={queue.problem} onRetry={() => void queue.flush()} />}
      {queue.failures.map((failure) => (
        <Notice
          key={failure.work.tickKey}
          tone="bad"
          action={
            <>
              <ButtonLink small to={`/b/${slug}/pictures/cover?image=${failure.work.image}`}>
                {failure.work.label}
              </ButtonLink>
              <Button small onClick={() => queue.dismiss(failure)}>
                {t("ui:close")}
              </Button>
            </>
          }
        >
          {t("cover.failed", { label: failure.work.label })}
          <Gap />
          {errorText(failure.error)}
        </Notice>
      ))}
    </>
  );
}

function usePrefetched(ids: readonly number[]): void {
  const client = useQueryClient();
  const wanted = ids.join();
  useEffect(() => {
    for (const id of wanted === "" ? [] : wanted.split(",").map(Number)) {
      const request = { path: { id } };
      void client
        .query({ queryKey: queryKey("image_regions", request), queryFn: async ({ signal }) => call("image_regions", request, { signal }), staleTime: 60_000 })
        .then(async ({ view_url: url }) => {
          const image = new Image();
          image.src = url;
          await image.decode();
        })
        .catch(() => undefined); // It is fetched again when its turn comes, and that shows the error.
    }
  }, [client, wanted]);
}
