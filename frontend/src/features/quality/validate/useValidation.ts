/** Colleagues' items one after the other: deciding on them, and what the server refuses. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "@/api/client";
import type { ApiError } from "@/api/errors";
import { useWrite } from "@/api/queries";
import type { PeerItem } from "@/api/types";
import { versionsIn, type Versions } from "@/item/conflict/versions";
import type { Content } from "@/kinds/kind";
import { toasts } from "@/ui/toasts";
import { useClaimed, type PoolOf } from "./useClaimed";

/** One item is on the screen, and the next is there before a key asks for it. */
const HELD_AHEAD = 2;

/** Refusals that say that someone changed the item: its newest version takes the place of the one on the screen. */
const CHANGED = ["stale_row", "stale_revision", "action_not_allowed"];

interface ValidationOptions extends PoolOf {
  /** The item that the address names; it comes before those of the pool. */
  named: PeerItem | null;
  /** The item that the address named is decided. */
  onNamedDone: () => void;
}

export function useValidation({ named, onNamedDone, ...poolOf }: ValidationOptions) {
  const { t } = useTranslation("quality");
  const { seats, held, claim, refusal, isClaiming } = useClaimed(poolOf);
  const [newest, setNewest] = useState<PeerItem | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [conflict, setConflict] = useState<Versions | null>(null);
  const star = useWrite("item_star");
  const sendBack = useWrite("item_send_back");
  const submit = useWrite("item_submit");

  const shown = newest !== null && newest.id === named?.id ? newest : named;
  const current: PeerItem | undefined = shown ?? held.find(({ id }) => id === at) ?? held[0];

  function clear() {
    setError(null);
    setConflict(null);
  }
  function show(id: number | undefined) {
    setAt(id ?? null);
    clear();
  }

  /** Leaves an item that is decided; the next one is there already, or is claimed. */
  function done(item: PeerItem) {
    const others = held.filter(({ id }) => id !== item.id);
    seats.judged(item.id, {});
    show(others[0]?.id);
    if (item.id === named?.id) onNamedDone();
    if (others.length < HELD_AHEAD) void claim(HELD_AHEAD - others.length);
  }

  async function refused(item: PeerItem, why: ApiError) {
    setError(why);
    if (!CHANGED.includes(why.code)) return;
    try {
      const fresh = await call("peer_item_show", { path: { id: item.id } });
      if (item.id === named?.id) setNewest(fresh);
      else seats.changed(item.id, fresh);
    } catch {
      // What was refused is said; the item stays as it was.
    }
  }
  const after = (item: PeerItem) => ({
    onSuccess: () => done(item),
    onError: (why: ApiError) => void refused(item, why),
  });

  /** Saves a changed text as the newest version; what the server refuses stays in the form. */
  function save(item: PeerItem, content: Content, overrides: Record<string, string>, baseNo: number) {
    const { id, label, author, guideline } = item;
    setError(null);
    const read = guideline?.acknowledged === true ? { guideline: guideline.version } : {};
    submit.mutate(
      { path: { id }, body: { track: "peer", base_no: baseNo, content, reasons: overrides, ...read } },
      {
        onSuccess: () => {
          toasts.show(t("validate.edited", { label, name: author?.name ?? t("validate.author") }));
          done(item);
        },
        onError: (why) => {
          setError(why);
          setConflict(why.code === "stale_revision" ? versionsIn(why.body, content) : null);
        },
      },
    );
  }

  /** Shows another item without a decision; this one stays with the person until they decide or leave. */
  async function next() {
    if (named) {
      onNamedDone();
      if (held.length === 0) await claim(HELD_AHEAD);
      return;
    }
    const here = held.findIndex(({ id }) => id === current?.id);
    const list = held.length < poolOf.pool.held_maximum ? await claim(1) : held;
    show(list[(here + 1) % list.length]?.id);
  }

  return {
    current,
    /** Items that the person holds beside the one on the screen. */
    ahead: held.filter(({ id }) => id !== current?.id).length,
    error,
    conflict,
    refusal,
    isClaiming,
    isBusy: star.isPending || sendBack.isPending,
    isSaving: submit.isPending,
    start: () => void claim(HELD_AHEAD),
    clear,
    star: (item: PeerItem) => star.mutate({ path: { id: item.id }, body: { revision_no: item.revision_no } }, after(item)),
    sendBack: (item: PeerItem, reasons: string[], comment: string) =>
      sendBack.mutate({ path: { id: item.id }, body: { revision_no: item.revision_no, reasons, comment } }, after(item)),
    save,
    next: () => void next(),
  };
}

export type Validation = ReturnType<typeof useValidation>;
