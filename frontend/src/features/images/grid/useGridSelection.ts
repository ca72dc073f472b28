/** The cursor and the choice in a grid of pictures, moved by keys and by the pointer; the focus follows the cursor. */
import { useEffect, useRef, useState, type FocusEvent, type MouseEvent } from "react";
import type { Image } from "@/api/types";
import { columnsOf, indexOf, moveTo, nothing, selectAll, targets, toggle, type Selection } from "../selection";

/** The first rows are enough to count the columns. */
const MEASURED_CARDS = 40;

interface Options {
  /** Begins with the keyboard in the grid. */
  hasFocus: boolean;
  /** A click opens pictures in place of choosing them. */
  clickOpens: boolean;
  onOpen: () => void;
}

export function useGridSelection(rows: readonly Image[], { hasFocus, clickOpens, onOpen }: Options) {
  const order = rows.map((image) => image.id);
  const [selection, setSelection] = useState<Selection<number>>(nothing);
  const grid = useRef<HTMLUListElement>(null);
  const byPointer = useRef(false);
  const isFirst = useRef(true);
  const at = indexOf(selection, order);
  const targeted = new Set(targets(selection, order));

  useEffect(() => {
    const card = grid.current?.children[at];
    if (!(card instanceof HTMLElement)) return;
    const starts = isFirst.current && hasFocus;
    if (!isFirst.current) card.scrollIntoView({ block: "nearest" });
    isFirst.current = false;
    // The cursor takes the focus only when it is in the grid already: filters keep theirs.
    if (starts || grid.current?.contains(document.activeElement) === true) card.focus({ preventScroll: true });
  }, [at, hasFocus]);

  const moveCursor = (to: number, extend = false) => setSelection(moveTo(selection, to, order, extend));
  const indexOfEvent = (event: { target: EventTarget }) => {
    const card = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-id]") : null;
    return card ? order.indexOf(Number(card.dataset.id)) : -1;
  };

  return {
    /** The index under the cursor. */
    at,
    current: rows[at],
    /** What a key press applies to: the chosen pictures, or the one under the cursor. */
    targets: rows.filter((image) => targeted.has(image.id)),
    isTarget: (image: Image) => targeted.has(image.id),
    isChosen: (image: Image) => selection.chosen.has(image.id),
    moveCursor,
    moveCursorTo: (image: number | undefined) => {
      const index = image === undefined ? -1 : order.indexOf(image);
      if (index !== -1) moveCursor(index);
    },
    selectAll: () => setSelection(selectAll(order)),
    columns: () => columnsOf([...(grid.current?.children ?? [])].slice(0, MEASURED_CARDS).map((card) => (card as HTMLElement).offsetTop)),
    focusCard: () => grid.current?.querySelector<HTMLElement>('[role=option][tabindex="0"]')?.focus({ preventScroll: true }),
    gridProps: {
      ref: grid,
      onClick: (event: MouseEvent) => {
        byPointer.current = false;
        const index = indexOfEvent(event);
        const id = order[index];
        if (id === undefined) return;
        if (event.shiftKey) moveCursor(index, true);
        else if (event.ctrlKey || event.metaKey) setSelection(toggle(selection, id));
        else {
          moveCursor(index);
          if (clickOpens) onOpen();
        }
      },
      onDoubleClick: (event: MouseEvent) => {
        const index = indexOfEvent(event);
        if (index === -1) return;
        moveCursor(index);
        onOpen();
      },
      onPointerDown: () => {
        byPointer.current = true;
      },
      onFocus: (event: FocusEvent) => {
        // A click moves the cursor itself, and knows whether Shift was held.
        const index = byPointer.current ? -1 : indexOfEvent(event);
        if (index !== -1 && index !== at) moveCursor(index);
      },
    },
  };
}
