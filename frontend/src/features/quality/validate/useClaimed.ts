/** The items of colleagues that a person has claimed, renewed while the page is open and released when it is left. */
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import { useWrite } from "@/api/queries";
import type { HeldPeerItem, PeerPool } from "@/api/types";
import { toasts } from "@/ui/toasts";
import { useSeats } from "../pool/usePoolSeats";

export interface PoolOf {
  slug: string;
  kind: string;
  team: number | undefined;
  pool: PeerPool;
}

export function useClaimed({ slug, kind, team, pool }: PoolOf) {
  const { t } = useTranslation("quality");
  const path = { b: slug };
  const { seats, rows } = useSeats<HeldPeerItem>(pool.items, {
    renew: (ids) => call("peer_pool_renew", { path, body: { seats: ids } }),
    release: (ids) => call("peer_pool_release", { path, body: { seats: ids } }, { keepalive: true }),
    heartbeatMs: pool.heartbeat_seconds * 1000,
  });
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const write = useWrite("peer_pool_claim");

  const onLost = useEffectEvent((items: readonly HeldPeerItem[]) => toasts.show(t("pool.expiredToast", { count: items.length })));
  useEffect(() => seats.onLost((items) => onLost(items)), [seats]);
  useEffect(() => () => void seats.release(), [seats]);

  /** Claims more items; returns all that the person holds then. */
  async function claim(count: number): Promise<readonly HeldPeerItem[]> {
    setRefusal(null);
    try {
      const { items } = await write.mutateAsync({ path, body: { kind, count, ...(team === undefined ? {} : { team }) } });
      seats.replace(items);
      return items;
    } catch (refused) {
      setRefusal(toApiError(refused));
      return seats.snapshot().flatMap((row) => (row.state === "held" ? [row.item] : []));
    }
  }

  return {
    seats,
    held: rows.flatMap((row) => (row.state === "held" ? [row.item] : [])),
    claim,
    /** Why no item could be claimed. */
    refusal,
    isClaiming: write.isPending,
  };
}
