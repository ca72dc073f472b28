/** A sheet whose items are judged: verdicts that can be undone until they are sent, and the keys for them. */
import { useTranslation } from "react-i18next";
import type { Entry } from "@/api/sendQueue";
import type { JudgedItem } from "@/api/types";
import { useSheet, type SheetKind } from "@/item/useSheet";
import { toasts } from "@/ui/toasts";
import type { SheetContext } from "./actions";
import type { useVerdictQueue } from "./verdictQueue";

interface VerdictSheetOptions<Row, Item extends JudgedItem, Verdict> {
  kind: SheetKind;
  rows: readonly Row[];
  itemOf: (row: Row) => Item;
  /** Whether the server has no verdict on it yet. */
  isOpen: (row: Row) => boolean;
  /** Whether the person may judge what is open. */
  mayJudge: boolean;
  verdicts: Pick<ReturnType<typeof useVerdictQueue<Verdict>>, "queue" | "verdictOn">;
  atEnd: "next" | "first";
}

export function useVerdictSheet<Row, Item extends JudgedItem, Verdict extends { revisionNo: number; pictureNo: number }>(
  options: VerdictSheetOptions<Row, Item, Verdict>,
) {
  const { kind, rows, itemOf, isOpen, mayJudge, verdicts, atEnd } = options;
  const { t } = useTranslation("quality");
  const { queue, verdictOn } = verdicts;
  const entryOf = (row: Row): Entry<Verdict> | undefined => verdictOn(itemOf(row).id);
  const sheet = useSheet({ kind, rows, itemOf, isOpen: (row) => isOpen(row) && entryOf(row) === undefined, atEnd });
  const canChange = (entry: Entry<Verdict> | undefined) => entry === undefined || entry.state === "pending" || entry.state === "refused";
  const canJudge = (row: Row) => mayJudge && isOpen(row) && canChange(entryOf(row));
  /** Returns the item whose verdict is undone. */
  const undo = (): number | undefined => {
    const [id] = queue.undo().map(Number);
    sheet.selectItem(id);
    return id;
  };
  return {
    ...sheet,
    entryOf,
    /** What a row's card shows and does, whatever the verdicts are. */
    card: (row: Row, index: number) => ({
      item: itemOf(row),
      entry: entryOf(row),
      selected: index === sheet.at,
      canJudge: canJudge(row),
      onSelect: () => sheet.select(index),
      onLook: sheet.look,
    }),
    canUndo: queue.canUndo,
    undo,
    judge: (item: Item, verdict: Omit<Verdict, "revisionNo" | "pictureNo">) => {
      queue.add([[item.id, { ...verdict, revisionNo: item.revision_no, pictureNo: item.image.redaction_no } as Verdict]]);
      sheet.advance(item.id);
    },
    /** The key of the end, pressed too early: says how much is left and goes there. */
    selectOpen: () => {
      sheet.selectFirstOpen();
      toasts.show(t("stillOpen", { count: sheet.open }));
    },
    keys: {
      mayJudge: sheet.current !== undefined && canJudge(sheet.current),
      canUndo: queue.canUndo,
      move: sheet.move,
      moveRow: sheet.move,
      look: sheet.look,
      undo: () => void undo(),
    } satisfies Partial<SheetContext>,
  };
}
