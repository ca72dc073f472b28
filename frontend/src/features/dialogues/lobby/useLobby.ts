/** The lobby on an open page: who waits, with a sign of waiting still as long as the page lives. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import { queryKey } from "@/api/queries";
import type { Dialogue, Lobby } from "@/api/types";

type Part = Dialogue["part"];

interface Waiting {
  /** The parts that the person waits for; null while they do not wait. */
  parts: readonly Part[] | null;
  /** A request is under way. */
  isBusy: boolean;
  /** Why waiting was not possible. */
  error: ApiError | null;
  wait: (parts: readonly Part[]) => void;
  stop: () => void;
}

/** `onPaired` is called with the dialogue that begins while the person waits. */
export function useWaiting(slug: string, lobby: Lobby, onPaired: (dialogue: number) => void): Waiting {
  const client = useQueryClient();
  const [parts, setParts] = useState<readonly Part[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const path = { b: slug };
  const show = (next: Lobby) => client.setQueryData<Lobby>(queryKey("lobby_show", { path }), next);

  async function join(as: readonly Part[]) {
    try {
      show(await call("lobby_join", { path, body: { parts: [...as] } }));
      return true;
    } catch (reason) {
      const problem = toApiError(reason);
      // Without a connection the next sign tries again.
      if (problem.isPassing && parts !== null) return true;
      setError(problem);
      setParts(null);
      return false;
    }
  }
  const sign = useEffectEvent(() => {
    if (parts !== null) void join(parts);
  });
  const isWaiting = parts !== null;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => sign(), lobby.sign_seconds * 1000);
    return () => clearInterval(timer);
  }, [isWaiting, lobby.sign_seconds]);
  // Who leaves the page waits no longer: a partner would talk to no one.
  const leave = useEffectEvent(() => {
    if (parts !== null) void call("lobby_leave", { path, body: {} }, { keepalive: true }).catch(() => undefined);
  });
  useEffect(() => {
    const hide = () => leave();
    window.addEventListener("pagehide", hide);
    return () => {
      window.removeEventListener("pagehide", hide);
      leave();
    };
  }, []);
  const paired = isWaiting ? lobby.dialogues.find(({ state }) => state === "open")?.id : undefined;
  const begin = useEffectEvent((id: number) => onPaired(id));
  useEffect(() => {
    if (paired !== undefined) begin(paired);
  }, [paired]);

  return {
    parts,
    isBusy,
    error,
    wait: (as) => {
      setError(null);
      setBusy(true);
      void join(as).then((waits) => {
        setBusy(false);
        if (waits) setParts(as);
      });
    },
    stop: () => {
      setParts(null);
      void call("lobby_leave", { path, body: {} }).then(show, (reason: unknown) => setError(toApiError(reason)));
    },
  };
}
