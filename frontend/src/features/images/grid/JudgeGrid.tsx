/** Pictures in a grid that can be judged by keys: arrows, Space, A, 1 to 9, P, and Z takes it back. */
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Category, Image, Reason } from "@/api/types";
import { useMay } from "@/api/session";
import { useLocalised } from "@/i18n/localised";
import { useActions } from "@/ui/keys";
import type { PictureRules, Subset } from "../protocol";
import { columnsOf, indexOf, moveTo, nothing, selectAll, targets, toggle, type Selection } from "../selection";
import { CountEntry } from "./CountEntry";
import { DecideBar } from "./DecideBar";
import { gridActions } from "./gridActions";
import type { Judgement } from "./heldJudgements";
import type { Judging } from "./judging";
import { Lightbox } from "./Lightbox";
import { PictureCard } from "./PictureCard";

interface Props {
  rows: readonly Image[];
  slug: string;
  rules: PictureRules;
  categories: readonly Category[];
  judging: Judging;
  /** Begins with the keyboard in the grid. */
  hasFocus?: boolean;
  onNearEnd?: () => void;
  /** What is said about the picture under the cursor beside the decisions. */
  status?: (image: Image) => ReactNode;
}

export function JudgeGrid({ rows, slug, rules, categories, judging, hasFocus = false, onNearEnd, status }: Props) {
  const { t } = useTranslation("images");
  const may = useMay(slug);
  const name = useLocalised();
  const navigate = useNavigate();
  const order = rows.map((image) => image.id);
  const [selection, setSelection] = useState<Selection<number>>(nothing);
  const [isOpen, setIsOpen] = useState(false);
  const [isComparing, setIsComparing] = useState(false);
  const [entry, setEntry] = useState<Subset | null>(null);
  const grid = useRef<HTMLUListElement>(null);
  const at = indexOf(selection, order);
  const current = rows[at];
  const mayJudge = may("image_judge");
  const mayClear = may("image_clear");
  const wanted = new Set(targets(selection, order));
  const chosen = rows.filter((image) => wanted.has(image.id));

  const go = (to: number, extend: boolean) => {
    setSelection(moveTo(selection, to, order, extend));
    if (to > rows.length - 12) onNearEnd?.();
  };
  /** Whether nobody has decided on it, here or on the server. */
  const isUndecided = (image: Image) => image.state === "received" && judging.decisions.get(image.id)?.verdict === undefined;

  /** After one picture the next undecided one; after several the cursor stays and the choice is let go. */
  const onward = (judged: readonly Image[]) => {
    const done = new Set(judged.map((image) => image.id));
    const last = rows.findLastIndex((image) => done.has(image.id));
    const next = rows.findIndex((image, i) => i > last && isUndecided(image) && !done.has(image.id));
    setSelection(moveTo(selection, next === -1 ? last + 1 : next, order, false));
  };
  const judge = (judgement: Judgement) => {
    const judged = judging.judge(chosen, judgement);
    if (judgement.outcome !== "clear" && judged.length > 0) onward(judged);
  };
  const backToGrid = () => {
    setEntry(null);
    focusCard();
  };
  const focusCard = () => grid.current?.querySelector<HTMLElement>(".picture-at")?.focus({ preventScroll: true });
  const undo = () => {
    const [first] = judging.undo();
    const index = first === undefined ? -1 : order.indexOf(first);
    if (index !== -1) setSelection(moveTo(selection, index, order, false));
  };
  const acceptIn = (subset: Reason) => {
    const found = rules.subsets.find((one) => one.code === subset.code);
    if (found) setEntry(found);
  };
  const accept = () => judge({ outcome: "accepted" });
  const refuse = (reason: Reason) => judge({ outcome: "refused", reasons: [reason.code] });
  const clear = () => judge({ outcome: "clear" });

  useActions(gridActions, {
    reasons: rules.refusalReasons,
    subsets: rules.subsets,
    nameOf: (named) => name(named?.name),
    any: rows.length > 0,
    mayJudge,
    mayClear,
    canUndo: judging.canUndo,
    isOpen,
    hasTwins: (current?.near.length ?? 0) > 0,
    move: ({ columns = 0, rows: lines = 0 }, extend) => {
      const tops = [...(grid.current?.children ?? [])].slice(0, 40).map((child) => (child as HTMLElement).offsetTop);
      // Shown large, up and down go one picture on as well: there are no rows to see.
      go(at + columns + lines * (isOpen ? 1 : columnsOf(tops)), extend && !isOpen);
    },
    selectAll: () => setSelection(selectAll(order)),
    open: () => setIsOpen(true),
    close: () => {
      if (isComparing) setIsComparing(false);
      else setIsOpen(false);
    },
    compare: () => {
      setIsOpen(true);
      setIsComparing(!isComparing);
    },
    openPage: () => void (current && navigate(`/b/${slug}/pictures/${current.id}`)),
    accept,
    acceptIn,
    refuse,
    clear,
    undo,
  });

  const isFirst = useRef(true);
  useEffect(() => {
    const card = grid.current?.children[at];
    if (!(card instanceof HTMLElement)) return;
    const starts = isFirst.current && hasFocus;
    if (!isFirst.current) card.scrollIntoView({ block: "nearest" });
    isFirst.current = false;
    // The cursor takes the focus only when it is in the grid already: filters keep theirs.
    if (starts || grid.current?.contains(document.activeElement) === true) card.focus({ preventScroll: true });
  }, [at, hasFocus]);

  const indexOfEvent = (event: { target: EventTarget }) => {
    const card = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-id]") : null;
    return card ? order.indexOf(Number(card.dataset.id)) : -1;
  };
  const byPointer = useRef(false);
  const onClick = (event: MouseEvent) => {
    byPointer.current = false;
    const index = indexOfEvent(event);
    const id = order[index];
    if (id === undefined) return;
    if (event.shiftKey) setSelection(moveTo(selection, index, order, true));
    else if (event.ctrlKey || event.metaKey) setSelection(toggle(selection, id));
    else {
      setSelection(moveTo(selection, index, order, false));
      // Where nothing can be decided, a picture is only there to be looked at.
      if (!mayJudge && !mayClear) setIsOpen(true);
    }
  };

  const decide = (mayJudge || mayClear) && (
    <div className="decide">
      {entry ? (
        <CountEntry
          key={`${entry.code} ${chosen.map((image) => image.id).join()}`}
          subset={entry}
          images={chosen}
          categories={categories}
          onAccept={(judgement) => {
            judge(judgement);
            backToGrid();
          }}
          onCancel={backToGrid}
        />
      ) : (
        <DecideBar
          reasons={rules.refusalReasons}
          subsets={rules.subsets}
          count={chosen.length}
          status={current && status?.(current)}
          mayJudge={mayJudge}
          mayClear={mayClear}
          canUndo={judging.canUndo}
          onAccept={accept}
          onAcceptIn={acceptIn}
          onRefuse={refuse}
          onClear={clear}
          onUndo={undo}
          onOpen={isOpen ? undefined : () => setIsOpen(true)}
        />
      )}
    </div>
  );

  return (
    <>
      <ul
        ref={grid}
        className="grid"
        role="listbox"
        aria-multiselectable="true"
        aria-label={t("title")}
        data-testid="picture-grid"
        onClick={onClick}
        onDoubleClick={(event) => {
          const index = indexOfEvent(event);
          if (index === -1) return;
          setSelection(moveTo(selection, index, order, false));
          setIsOpen(true);
        }}
        onPointerDown={() => {
          byPointer.current = true;
        }}
        onFocus={(event) => {
          // A click moves the cursor itself, and knows whether Shift was held.
          const index = byPointer.current ? -1 : indexOfEvent(event);
          if (index !== -1 && index !== at) setSelection(moveTo(selection, index, order, false));
        }}
      >
        {rows.map((image, index) => (
          <PictureCard
            key={image.id}
            image={image}
            decision={judging.decisions.get(image.id)}
            isAt={index === at}
            isChosen={wanted.has(image.id)}
            isMarked={selection.chosen.has(image.id)}
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
    </>
  );
}
