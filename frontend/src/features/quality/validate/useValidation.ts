/** Colleagues' items one after the other: deciding on them, and what the server refuses. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "@/api/client";
import type { ApiError } from "@/api/errors";
import { queryKey, useWrite } from "@/api/queries";
import type { PeerItem } from "@/api/types";
import { versionsIn } from "@/item/conflict/versions";
import { toasts } from "@/ui/toasts";
import { useClaimed, type PoolOf } from "./useClaimed";
import { newerThan, useOpenForm, type FormName, type Typed } from "./useOpenForm";

/** One item is on the screen, and the next is there before a key asks for it. */
const HELD_AHEAD = 2;

/** Refusals that say that someone changed the item: its newest version is fetched. */
const CHANGED = ["stale_row", "stale_revision", "action_not_allowed"];

interface ValidationOptions extends PoolOf {
  /** The item that the address names; it comes before those of the pool. */
  named: PeerItem | null;
  /** The item that the address named is decided. */
  onNamedDone: () => void;
}

export function useValidation({ named, onNamedDone, ...poolOf }: ValidationOptions) {
  const { t } = useTranslation("quality");
  const queries = useQueryClient();
  const { seats, held, claim, refusal, isClaiming } = useClaimed(poolOf);
  const [at, setAt] = useState<number | null>(null);
  const { form, error, conflict, setError, setConflict, ...forms } = useOpenForm();
  const star = useWrite("item_star");
  const sendBack = useWrite("item_send_back");
  const submit = useWrite("item_submit");

  // An open form keeps its item: a refetch, a lost seat or another address must not take away what was typed.
  const current: PeerItem | undefined = form?.item ?? named ?? held.find(({ id }) => id === at) ?? held[0];
  const isHeld = (id: number) => held.some((one) => one.id === id);
  const isSending = sendBack.isPending || submit.isPending;
  const known = [...(named ? [named] : []), ...held, ...poolOf.pool.items];
  // While the person's own version is saved, the page may have it already: it is no one else's.
  const newer = form && !isSending ? newerThan(form, known) : null;

  /** Leaves an item that is decided; the next one is there already, or is claimed. */
  function done(item: PeerItem) {
    const others = held.filter(({ id }) => id !== item.id);
    seats.judged(item.id, {});
    setAt(others[0]?.id ?? null);
    forms.close(item.id);
    if (item.id === named?.id) onNamedDone();
    if (others.length < HELD_AHEAD) void claim(HELD_AHEAD - others.length);
  }

  async function refused(item: PeerItem, why: ApiError) {
    setError(why);
    if (!CHANGED.includes(why.code)) return;
    const path = { id: item.id };
    try {
      const fresh = await call("peer_item_show", { path });
      queries.setQueryData(queryKey("peer_item_show", { path }), fresh);
      seats.changed(item.id, fresh);
      forms.read(fresh);
    } catch {
      // What was refused is said; the item stays as it was.
    }
  }
  const after = (item: PeerItem, message: string) => ({
    onSuccess: () => {
      toasts.show(message);
      done(item);
    },
    onError: (why: ApiError) => void refused(item, why),
  });

  /** Saves a changed text as the newest version; what the server refuses stays in the form. */
  function save(item: PeerItem, typed: Typed) {
    if (submit.isPending) return;
    const { id, label, author, guideline } = item;
    const { content, reasons, baseNo } = typed;
    forms.keep(typed);
    setError(null);
    const read = guideline?.acknowledged === true ? { guideline: guideline.version } : {};
    submit.mutate(
      { path: { id }, body: { track: "peer", base_no: baseNo, picture_no: item.image.redaction_no, content, reasons: { ...reasons }, ...read } },
      {
        onSuccess: () => {
          toasts.show(t("validate.edited", { label, name: author?.name ?? t("validate.author") }));
          done(item);
        },
        onError: (why) => {
          if (why.code === "stale_revision") setConflict(versionsIn(why.body, content));
          // Findings are answered in the form, which then has the merged text.
          if (why.code === "content_refused") setConflict(null);
          void refused(item, why);
        },
      },
    );
  }

  /** Shows another item without a decision; this one stays with the person until they decide or leave. */
  async function next() {
    forms.clear();
    if (named) {
      onNamedDone();
      if (held.length === 0) await claim(HELD_AHEAD);
      return;
    }
    const here = held.findIndex(({ id }) => id === current?.id);
    const list = held.length < poolOf.pool.held_maximum ? await claim(1) : held;
    setAt(list[(here + 1) % list.length]?.id ?? null);
  }

  return {
    current,
    /** Items that the person holds beside the one on the screen. */
    ahead: held.filter(({ id }) => id !== current?.id).length,
    form,
    error,
    conflict,
    /** A version that appeared while the form was open. */
    newer,
    /** The item's seat was lost while the form was open. */
    isLost: form?.wasReserved === true && !isSending && !isHeld(form.item.id),
    refusal,
    isClaiming,
    isBusy: star.isPending || sendBack.isPending,
    isSaving: submit.isPending,
    start: () => void claim(HELD_AHEAD),
    open: (name: FormName, item: PeerItem) => forms.open(name, item, isHeld(item.id)),
    close: (item: PeerItem) => forms.close(item.id),
    /** Shows the newer version beside the form. */
    read: forms.read,
    /** Back from the comparison to the form, with the text that was sent last. */
    leaveConflict: forms.clear,
    star: (item: PeerItem) => {
      setError(null);
      star.mutate({ path: { id: item.id }, body: { revision_no: item.revision_no, picture_no: item.image.redaction_no } }, after(item, t("validate.starred", { label: item.label })));
    },
    /** Returns an item; the form stays open until the server has accepted it. */
    sendBack: (item: PeerItem, reasons: string[], comment: string) => {
      if (sendBack.isPending) return;
      setError(null);
      sendBack.mutate({ path: { id: item.id }, body: { revision_no: item.revision_no, picture_no: item.image.redaction_no, reasons, comment } }, after(item, t("validate.returned", { label: item.label })));
    },
    save,
    next: () => void next(),
  };
}

export type Validation = ReturnType<typeof useValidation>;
