/** Reviewing a sheet, of a package or out of a pool: accept, correct in place, or return with reasons. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SheetItem } from "@/api/types";
import type { Content } from "@/kinds/kind";
import type { SheetKind } from "@/item/useSheet";
import { toasts } from "@/ui/toasts";
import type { SheetContext } from "../actions";
import { useVerdictSheet } from "../useVerdictSheet";
import type { CardForm } from "./ReviewCard";
import { useReviewVerdicts, type ReviewVerdict } from "./verdicts";

interface ReviewSheetOptions<Row> {
  kind: SheetKind;
  rows: readonly Row[];
  itemOf: (row: Row) => SheetItem;
  isOpen: (row: Row) => boolean;
  mayJudge: boolean;
  atEnd: "next" | "first";
  /** The item as the page has it now. */
  find: (id: number) => SheetItem | undefined;
  /** Takes the item as it is after its verdict. */
  put: (item: SheetItem) => void;
}

export function useReviewSheet<Row>({ find, put, ...options }: ReviewSheetOptions<Row>) {
  const { t } = useTranslation("quality");
  const { itemOf } = options;
  const [form, setForm] = useState<{ item: number; name: CardForm } | null>(null);
  const verdicts = useReviewVerdicts(find, put);
  const sheet = useVerdictSheet({ ...options, verdicts });
  const item = sheet.current === undefined ? undefined : itemOf(sheet.current);
  const open = (name: CardForm) => item && setForm({ item: item.id, name });

  function judge(of: SheetItem, verdict: Omit<ReviewVerdict, "revisionNo" | "pictureNo">) {
    sheet.judge(of, verdict);
    setForm(null);
  }
  async function correct(of: SheetItem, content: Content, overrides: Record<string, string>) {
    if (!(await verdicts.correct(of, content, overrides))) return;
    setForm(null);
    toasts.show(t("corrected", { label: of.label }));
    sheet.advance(of.id);
  }
  return {
    ...sheet,
    queue: verdicts.queue,
    keys: {
      ...sheet.keys,
      accept: () => item && judge(item, { outcome: item.state === "skipped" ? "agree" : "accept", reasons: [], comment: "" }),
      correct: item && item.state !== "skipped" ? () => open("correct") : null,
      refuse: () => open("return"),
    } satisfies Partial<SheetContext>,
    card: (row: Row, index: number) => {
      const of = itemOf(row);
      return {
        ...sheet.card(row, index),
        form: form?.item === of.id ? form.name : null,
        correcting: verdicts.correcting,
        correctError: verdicts.correctError,
        onForm: (name: CardForm | null) => {
          verdicts.forgetError();
          setForm(name === null ? null : { item: of.id, name });
        },
        onVerdict: (verdict: Omit<ReviewVerdict, "revisionNo" | "pictureNo">) => judge(of, verdict),
        onCorrect: (content: Content, overrides: Record<string, string>) => void correct(of, content, overrides),
      };
    },
  };
}
