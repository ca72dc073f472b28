/** Inspecting a sheet, drawn from a package, out of a pool or in a spot check: each item is right, or wrong for a reason. */
import { useState } from "react";
import type { JudgedItem } from "@/api/types";
import type { Why } from "@/item/Reasons";
import type { SheetKind } from "@/item/useSheet";
import type { SheetContext } from "../actions";
import { useVerdictSheet } from "../useVerdictSheet";
import { useInspectVerdicts, type InspectVerdict, type SendVerdict } from "./verdicts";

interface InspectSheetOptions<Row, Item extends JudgedItem> {
  kind: SheetKind;
  rows: readonly Row[];
  itemOf: (row: Row) => Item;
  isOpen: (row: Row) => boolean;
  mayJudge: boolean;
  atEnd: "next" | "first";
  send: SendVerdict;
  /** Hears of every verdict as it is given. */
  onVerdict?: (item: Item, verdict: InspectVerdict) => void;
}

export function useInspectSheet<Row, Item extends JudgedItem>({ send, onVerdict, ...options }: InspectSheetOptions<Row, Item>) {
  const { itemOf } = options;
  const [refusing, setRefusing] = useState<number | null>(null);
  // What was typed for a wrong item, until it is right: undoing the verdict opens its form again.
  const [typed, setTyped] = useState<ReadonlyMap<number, Why>>(new Map());
  const verdicts = useInspectVerdicts(send);
  const sheet = useVerdictSheet({ ...options, verdicts });
  const item = sheet.current === undefined ? undefined : itemOf(sheet.current);

  function judge(of: Item, verdict: Omit<InspectVerdict, "revisionNo" | "pictureNo">) {
    sheet.judge(of, verdict);
    onVerdict?.(of, { ...verdict, revisionNo: of.revision_no, pictureNo: of.image.redaction_no });
    setRefusing(null);
    const { outcome, reasons, comment } = verdict;
    setTyped(new Map([...typed].filter(([id]) => id !== of.id).concat(outcome === "wrong" ? [[of.id, { reasons, comment }]] : [])));
  }
  function undo() {
    const id = sheet.undo();
    if (id !== undefined && typed.has(id)) setRefusing(id);
  }
  return {
    ...sheet,
    undo,
    queue: verdicts.queue,
    keys: {
      ...sheet.keys,
      undo,
      accept: () => item && judge(item, { outcome: "right", reasons: [], comment: "" }),
      correct: null,
      refuse: () => item && setRefusing(item.id),
    } satisfies Partial<SheetContext>,
    card: (row: Row, index: number) => {
      const of = itemOf(row);
      return {
        ...sheet.card(row, index),
        refusing: refusing === of.id,
        undone: typed.get(of.id),
        onRefusing: (open: boolean) => setRefusing(open ? of.id : null),
        onVerdict: (verdict: Omit<InspectVerdict, "revisionNo" | "pictureNo">) => judge(of, verdict),
      };
    },
  };
}
