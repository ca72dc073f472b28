/** The items of which a person holds a seat in a panel, one after the other, and their verdicts. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { useWrite } from "@/api/queries";
import type { HeldPeerItem, PeerPool } from "@/api/types";
import { toasts } from "@/ui/toasts";
import { useClaimed } from "../validate/useClaimed";
import type { Values } from "./form";

/** One item is on the screen, and the next is there before a key asks for it. */
const HELD_AHEAD = 2;

/** Refusals after which the item cannot be judged from this seat any more. */
const GONE: readonly string[] = ["stale_row", "seat_not_held", "action_not_allowed", "already_judged", "own_work", "not_found"];

export interface Verdict {
  readonly outcome: "pass" | "fail";
  readonly reasons: string[];
  readonly comment: string;
  readonly values: Values;
}

export function useJudging(of: { slug: string; kind: string; pool: PeerPool }) {
  const { t } = useTranslation("quality");
  const { seats, held, claim, refusal, isClaiming } = useClaimed({ ...of, team: undefined });
  const [at, setAt] = useState<number | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const write = useWrite("item_judge");
  const current = held.find(({ id }) => id === at) ?? held[0];

  /** Leaves an item; the next one is there already, or is claimed. */
  function leave(item: HeldPeerItem) {
    const others = held.filter(({ id }) => id !== item.id);
    seats.judged(item.id, {});
    setAt(others[0]?.id ?? null);
    if (others.length < HELD_AHEAD) void claim(HELD_AHEAD - others.length);
  }

  function judge(item: HeldPeerItem, verdict: Verdict) {
    if (write.isPending) return;
    setError(null);
    const body = { ...verdict, values: { ...verdict.values }, revision_no: item.revision_no, picture_no: item.image.redaction_no };
    write.mutate(
      { path: { id: item.id }, body },
      {
        onSuccess: () => {
          toasts.show(t(`panel.${verdict.outcome}ed`, { label: item.label }));
          leave(item);
        },
        onError: (why) => {
          setError(why);
          if (GONE.includes(why.code)) leave(item);
        },
      },
    );
  }

  /** Shows another item without a verdict; this one stays with the person until they judge it or leave. */
  async function next() {
    setError(null);
    const here = held.findIndex(({ id }) => id === current?.id);
    const list = held.length < of.pool.held_maximum ? await claim(1) : held;
    setAt(list[(here + 1) % list.length]?.id ?? null);
  }

  return {
    current,
    /** Items that the person holds beside the one on the screen. */
    ahead: held.filter(({ id }) => id !== current?.id).length,
    error,
    refusal,
    isClaiming,
    isBusy: write.isPending,
    start: () => void claim(HELD_AHEAD),
    judge,
    next: () => void next(),
  };
}

export type Judging = ReturnType<typeof useJudging>;
