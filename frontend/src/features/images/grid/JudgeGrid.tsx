/** A grid of pictures that can be judged by keys: arrows, Space, A, 1 to 9, P, and Z to undo. */
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useMay } from "@/api/session";
import type { Category, Image, Reason } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { useActions } from "@/ui/keys";
import type { PictureRules, Subset } from "../protocol";
import { CountEntry } from "./CountEntry";
import { DecideBar } from "./DecideBar";
import { gridActions } from "./gridActions";
import type { Judgement } from "./judgementQueue";
import type { Judging } from "./judging";
import { Lightbox } from "./Lightbox";
import { PictureCard } from "./PictureCard";
import { useGridSelection } from "./useGridSelection";
import styles from "./grid.module.css";

/** The next page is fetched when the cursor comes this close to the last picture. */
const NEAR_END = 12;

interface Props {
  rows: readonly Image[];
  slug: string;
  rules: PictureRules;
  categories: readonly Category[];
  judging: Judging;
  /** Begins with the keyboard in the grid. */
  hasFocus?: boolean;
  onNearEnd?: () => void;
  /** Shown beside the decisions: the status of the picture under the cursor. */
  status?: (image: Image) => ReactNode;
  /** What else can be done to the chosen pictures; inside the bar of decisions, if there is one. */
  more?: (images: readonly Image[], isInline: boolean) => ReactNode;
}

export function JudgeGrid({ rows, slug, rules, categories, judging, hasFocus = false, onNearEnd, status, more }: Props) {
  const { t } = useTranslation("images");
  const may = useMay(slug);
  const name = useLocalised();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const [isComparing, setIsComparing] = useState(false);
  const [countedSubset, setCountedSubset] = useState<Subset | null>(null);
  const mayJudge = may("image_judge");
  const mayClear = may("image_clear");
  const open = () => setIsOpen(true);
  // People who may not judge open pictures with a click.
  const selection = useGridSelection(rows, { hasFocus, clickOpens: !mayJudge && !mayClear, onOpen: open });
  const { at, current, targets } = selection;

  const go = (to: number, extend: boolean) => {
    selection.moveCursor(to, extend);
    if (to > rows.length - NEAR_END) onNearEnd?.();
  };
  const judge = (judgement: Judgement) => {
    const judged = judging.judge(targets, judgement);
    if (judgement.outcome !== "clear" && judged.length > 0) selection.moveCursor(indexAfter(rows, judged, judging));
  };
  const backToGrid = () => {
    setCountedSubset(null);
    selection.focusCard();
  };
  const decisions = {
    mayJudge,
    mayClear,
    canUndo: judging.canUndo,
    accept: () => judge({ outcome: "accepted" }),
    acceptIn: ({ code }: Reason) => setCountedSubset(rules.subsets.find((subset) => subset.code === code) ?? countedSubset),
    refuse: ({ code }: Reason) => judge({ outcome: "refused", reasons: [code] }),
    clear: () => judge({ outcome: "clear" }),
    undo: () => selection.moveCursorTo(judging.undo()[0]),
  };

  useActions(gridActions, {
    ...decisions,
    reasons: rules.refusalReasons,
    subsets: rules.subsets,
    nameOf: (reason) => name(reason?.name),
    any: rows.length > 0,
    isOpen,
    hasNearDuplicates: (current?.near.length ?? 0) > 0,
    // In the lightbox up and down move by one picture: it shows no rows.
    move: ({ columns = 0, rows: lines = 0 }, extend) => go(at + columns + lines * (isOpen ? 1 : selection.columns()), extend && !isOpen),
    selectAll: selection.selectAll,
    open,
    close: () => (isComparing ? setIsComparing(false) : setIsOpen(false)),
    compare: () => {
      open();
      setIsComparing(!isComparing);
    },
    openPage: () => void (current && navigate(`/b/${slug}/pictures/${current.id}`)),
  });

  const decide = (mayJudge || mayClear) && (
    <div ref={measure} className={styles.decide}>
      {countedSubset ? (
        <CountEntry
          key={`${countedSubset.code} ${targets.map((image) => image.id).join()}`}
          subset={countedSubset}
          images={targets}
          categories={categories}
          onAccept={(judgement) => {
            judge(judgement);
            backToGrid();
          }}
          onCancel={backToGrid}
        />
      ) : (
        <DecideBar
          decisions={decisions}
          rules={rules}
          count={targets.length}
          status={current && status?.(current)}
          onOpen={isOpen ? undefined : open}
        />
      )}
      {!isOpen && !countedSubset && more?.(targets, true)}
    </div>
  );

  return (
    <>
      <ul {...selection.gridProps} className={styles.grid} role="listbox" aria-multiselectable="true" aria-label={t("title")} data-testid="picture-grid">
        {rows.map((image, index) => (
          <PictureCard
            key={image.id}
            image={image}
            decision={judging.decisions.get(image.id)}
            isAt={index === at}
            isChosen={selection.isTarget(image)}
            isMarked={selection.isChosen(image)}
          />
        ))}
      </ul>
      {isOpen && current ? (
        <Lightbox
          image={current}
          slug={slug}
          isComparing={isComparing}
          onStep={(step) => go(at + step, false)}
          onClose={() => setIsOpen(false)}
          onCompare={() => setIsComparing(!isComparing)}
        >
          {decide}
        </Lightbox>
      ) : (
        decide
      )}
      {!decide && more?.(targets, false)}
    </>
  );
}

/** Tells the page the bar's height, so that the picture under the cursor is scrolled to above it. */
export function measure(bar: HTMLDivElement | null): (() => void) | undefined {
  const page = bar?.parentElement;
  if (!bar || !page) return undefined;
  const observer = new ResizeObserver(() => page.style.setProperty("--decide", `${bar.offsetHeight}px`));
  observer.observe(bar);
  return () => observer.disconnect();
}

/** Where the cursor goes after a judgement: to the next picture that no one has decided on, here or on the server. */
function indexAfter(rows: readonly Image[], judged: readonly Image[], { decisions }: Judging): number {
  const done = new Set(judged.map((image) => image.id));
  const last = rows.findLastIndex((image) => done.has(image.id));
  const isUndecided = (image: Image) => image.state === "received" && decisions.get(image.id)?.verdict === undefined && !done.has(image.id);
  const next = rows.findIndex((image, index) => index > last && isUndecided(image));
  return next === -1 ? last + 1 : next;
}
