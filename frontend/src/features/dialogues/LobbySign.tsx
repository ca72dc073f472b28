/**
 * On every page of a benchmark with dialogues: says that someone began to wait for a partner, to people who could be it.
 * It reads the lobby when an event says that it changed, at most so often; without events pages read it by themselves.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { call } from "@/api/client";
import { live } from "@/api/live/live";
import { useLive } from "@/api/live/useLive";
import { queryKey, useRead } from "@/api/queries";
import type { Lobby } from "@/api/types";
import { toasts } from "@/ui/toasts";

/** Milliseconds over which the readers of one event spread, and between two readings. */
const SPREAD_MS = 1_500;
const PAUSE_MS = 5_000;

export function LobbySign({ slug }: { slug: string }) {
  const lobby = useRead("lobby_show", { path: { b: slug } }, { staleTime: Infinity });
  if (lobby.data === undefined || lobby.data.parts.length === 0) return null;
  return <Listening slug={slug} lobby={lobby.data} />;
}

function Listening({ slug, lobby }: { slug: string; lobby: Lobby }) {
  const { t } = useTranslation("dialogues");
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const page = `/b/${slug}/write/dialogue`;
  const state = useRef({ others: lobby.others, isDue: false, readAt: 0 });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // What other pages read of it is no news.
  useEffect(() => {
    state.current.others = lobby.others;
  }, [lobby.others]);
  // The lobby and the chat read by themselves.
  const isThere = pathname.startsWith(page);

  async function read() {
    const { current } = state;
    current.isDue = false;
    current.readAt = performance.now();
    try {
      const path = { b: slug };
      const next = await call("lobby_show", { path });
      client.setQueryData<Lobby>(queryKey("lobby_show", { path }), next);
      const isFree = next.dialogues.every((one) => one.state !== "open");
      if (next.others > 0 && current.others === 0 && isFree) {
        toasts.show(t("someoneWaits"), { label: t("lobby.joinNow"), perform: () => void navigate(page) });
      }
      current.others = next.others;
    } catch {
      // The next event reads it.
    }
  }
  useLive("lobby", lobby.benchmark_id, (n) => {
    const { current } = state;
    // Without a number the stream begins, so that something may have been missed; or there is none, and pages poll.
    const isPoll = n === null && live.state.snapshot() !== "live";
    if (isPoll || isThere || current.isDue) return;
    current.isDue = true;
    const rest = current.readAt === 0 ? 0 : Math.max(0, current.readAt + PAUSE_MS - performance.now());
    timer.current = setTimeout(() => void read(), rest + Math.random() * SPREAD_MS);
  });
  return null;
}
