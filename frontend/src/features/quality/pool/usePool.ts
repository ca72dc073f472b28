/** The seats one has in a pool: taking more, saying what was lost, giving back on leaving what was not judged. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { PoolPurpose } from "@/api/benchmark";
import { queryKey, useWrite } from "@/api/queries";
import type { PoolItem, PoolSheet } from "@/api/types";
import { toasts } from "@/ui/toasts";
import type { SheetContext } from "../actions";
import type { VerdictQueue } from "../verdictQueue";
import type { PoolSeats, SeatRow } from "./poolSeats";

export interface PoolProps {
  pool: PoolSheet;
  slug: string;
}

interface PoolOptions extends PoolProps {
  purpose: PoolPurpose;
  seats: PoolSeats;
  rows: readonly SeatRow[];
  sheet: {
    open: number;
    select: (index: number) => void;
    entryOf: (row: SeatRow) => unknown;
    queue: Pick<VerdictQueue, "flush" | "withdraw">;
  };
}

export function usePool({ pool, slug, purpose, seats, rows, sheet }: PoolOptions) {
  const { t } = useTranslation("quality");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [count, setCount] = useState<number | null>(null);
  const { queue } = sheet;
  const onLost = useEffectEvent((items: readonly PoolItem[]) => {
    // A verdict that was not sent has no seat any more.
    for (const item of items) void queue.withdraw(item.id);
    toasts.show(t("pool.expiredToast", { count: items.length }));
  });
  useEffect(() => seats.onLost((items) => onLost(items)), [seats]);
  // Verdicts are sent before the other seats are given back.
  const leave = useEffectEvent(() => void queue.flush().then(() => seats.release()));
  useEffect(() => () => leave(), []);
  const claim = useWrite("pool_claim");
  // What is decided makes room before more is claimed.
  const room = Math.max(0, pool.held_maximum - rows.filter((row) => row.state === "held" && sheet.entryOf(row) === undefined).length);
  const wanted = Math.min(count ?? room, room);
  async function claimMore() {
    if (wanted === 0 || !(await queue.flush())) return;
    claim.mutate(
      { path: { b: slug, purpose }, body: { kind: pool.kind, count: wanted } },
      {
        onSuccess: (answer) => {
          queries.setQueryData(queryKey("pool_show", { path: { b: slug, purpose }, query: { kind: pool.kind } }), answer);
          seats.replace(answer.items);
          sheet.select(0);
        },
        onError: () => void queries.invalidateQueries({ queryKey: ["pool_show"] }),
      },
    );
  }
  const keys = {
    complete: sheet.open === 0 && wanted > 0 ? () => void claimMore() : null,
    leave: () => void navigate(`/b/${slug}/work`),
  } satisfies Partial<SheetContext>;
  return { claim, room, wanted, setCount, claimMore, keys };
}

export type Pool = ReturnType<typeof usePool>;
