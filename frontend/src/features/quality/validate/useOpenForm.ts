/** The form that is open on a colleague's item, with what was typed into it and why the server refused it. */
import { useState } from "react";
import type { ApiError } from "@/api/errors";
import type { PeerItem } from "@/api/types";
import type { Versions } from "@/item/conflict/versions";
import type { Content } from "@/kinds/kind";

export type FormName = "edit" | "send_back";

/** A changed text as it was sent last, or as the item has it. */
export interface Typed {
  readonly content: Content;
  /** Why findings do not apply, by their code. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Revision that the text is based on. */
  readonly baseNo: number;
}

export interface OpenForm {
  readonly name: FormName;
  /** The item as the person reads it. While the form is open, a refetch does not replace it by a newer version. */
  readonly item: PeerItem;
  /** Its revision when the form was opened. */
  readonly openedNo: number;
  /** Whether the item was reserved for the person when the form was opened. */
  readonly wasReserved: boolean;
  /** Null for an item without a text, which cannot be edited. */
  readonly typed: Typed | null;
}

export function useOpenForm() {
  const [form, setForm] = useState<OpenForm | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [conflict, setConflict] = useState<Versions | null>(null);

  function clear() {
    setError(null);
    setConflict(null);
  }
  return {
    form,
    error,
    /** Two versions to choose from, in place of the form; they stay until they are saved or left. */
    conflict,
    setError,
    setConflict,
    clear,
    open: (name: FormName, item: PeerItem, wasReserved: boolean) => {
      const { content, reasons, revision_no: baseNo } = item;
      clear();
      setForm({ name, item, openedNo: baseNo, wasReserved, typed: content && { content, reasons, baseNo } });
    },
    /** Closes the form if it is open on this item. */
    close: (itemId: number) => {
      clear();
      setForm((open) => (open?.item.id === itemId ? null : open));
    },
    /** Keeps a text that is sent: the form shows it again after a refusal, also a merged one. */
    keep: (typed: Typed) => setForm((open) => open && { ...open, typed }),
    /** Shows a newer version beside the reasons for a return; a changed text is compared with it when it is saved. */
    read: (item: PeerItem) => setForm((open) => (open?.name === "send_back" && open.item.id === item.id ? { ...open, item } : open)),
  };
}

/** The newest of several versions of an item, if it is newer than the one that is read, or that the text is based on. */
export function newerThan(form: OpenForm, versions: readonly PeerItem[]): PeerItem | null {
  const known = form.name === "edit" && form.typed ? form.typed.baseNo : form.item.revision_no;
  const newer = versions.filter(({ id, revision_no: no }) => id === form.item.id && no > known);
  return newer.reduce<PeerItem | null>((newest, one) => (newest && newest.revision_no >= one.revision_no ? newest : one), null);
}
