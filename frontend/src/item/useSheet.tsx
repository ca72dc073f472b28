/** State of a list of items that are judged one by one: the selected one, the open ones, moving by keys, the full picture. */
import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from "react";
import type { WorkItem, WorkRules } from "@/api/types";
import { FullPicture } from "@/kinds/FullPicture";
import type { KindView } from "@/kinds/kind";
import { ItemMarks } from "@/kinds/Marks";

/** The kind of the items of a sheet, with its rules. */
export interface SheetKind {
  readonly view: KindView | null;
  readonly rules: WorkRules;
}

interface SheetOptions<Row> {
  kind: SheetKind;
  rows: readonly Row[];
  itemOf: (row: Row) => Pick<WorkItem, "id" | "image" | "content" | "state" | "language">;
  /** Whether the person still has to decide about it. */
  isOpen: (row: Row) => boolean;
  /** The row that `advance` selects if no row below is open: the next one, the first open one, or none. */
  atEnd: "next" | "first" | "stay";
}

interface Sheet<Row> {
  at: number;
  current: Row | undefined;
  /** How many the person still has to decide about. */
  open: number;
  select: (index: number) => void;
  selectItem: (id: number | undefined) => void;
  selectFirstOpen: () => void;
  /** Selects the next open item after a decided one. */
  advance: (id: number) => void;
  move: (step: number) => void;
  look: () => void;
  /** The selected picture over the whole window, while it is open. */
  fullPicture: ReactNode;
}

export function useSheet<Row>({ kind, rows, itemOf, isOpen, atEnd }: SheetOptions<Row>): Sheet<Row> {
  const [at, setAt] = useState(() => Math.max(0, rows.findIndex(isOpen)));
  const [isLooking, setIsLooking] = useState(false);
  const current = rows[at];
  const move = (step: number) => setAt(Math.min(rows.length - 1, Math.max(0, at + step)));
  const select = (index: number) => {
    if (index !== -1) setAt(index);
  };

  function advance(id: number) {
    const here = rows.findIndex((row) => itemOf(row).id === id);
    // What was just decided counts as open until the page is drawn again.
    const isOther = (row: Row) => itemOf(row).id !== id && isOpen(row);
    const below = rows.findIndex((row, index) => index > here && isOther(row));
    if (below !== -1) setAt(below);
    else if (atEnd === "next") setAt(Math.min(here + 1, rows.length - 1));
    else if (atEnd === "first") select(rows.findIndex(isOther));
  }

  return {
    at,
    current,
    open: rows.filter(isOpen).length,
    select,
    selectItem: (id) => select(rows.findIndex((row) => itemOf(row).id === id)),
    selectFirstOpen: () => select(rows.findIndex(isOpen)),
    advance,
    move,
    look: () => setIsLooking(current !== undefined),
    fullPicture: isLooking && current !== undefined && (
      <FullPicture image={itemOf(current).image} onClose={() => setIsLooking(false)}>
        <ItemMarks item={itemOf(current)} {...kind} />
      </FullPicture>
    ),
  };
}

/** The number of cards in the first row of a list as it is laid out: how far the keys for one row up or down move. */
export function columnsOf(list: HTMLElement | null): number {
  const cards = [...(list?.children ?? [])].filter((card) => card instanceof HTMLElement);
  const top = cards[0]?.offsetTop;
  return Math.max(1, cards.filter((card) => card.offsetTop === top).length);
}

/** Scrolls a card into view when it is selected; a sheet that opens at its first card stays at the page's head. */
export function useSelectedCard(selected: boolean): RefObject<HTMLLIElement | null> {
  const card = useRef<HTMLLIElement>(null);
  const isNew = useRef(true);
  const follow = useEffectEvent(() => {
    if (!isNew.current || card.current?.previousElementSibling) card.current?.scrollIntoView({ block: "nearest" });
  });
  useEffect(() => {
    if (selected) follow();
    isNew.current = false;
  }, [selected]);
  return card;
}
