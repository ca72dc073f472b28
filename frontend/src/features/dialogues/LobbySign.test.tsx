import { act, cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { live } from "@/api/live/live";
import { useSession } from "@/api/session";
import type { Lobby } from "@/api/types";
import { lobbyOf } from "@/testing/dialogues";
import { fakeSources, type FakeSource } from "@/testing/events";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Toasts } from "@/ui/Toasts";
import { LobbySign } from "./LobbySign";

const sources = fakeSources();

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
  vi.stubGlobal("EventSource", function open(address: string): FakeSource {
    return sources.open(address);
  });
});
afterEach(() => {
  cleanup();
  live.locate("http://elsewhere.example.org/");
  vi.useRealTimers();
  vi.unstubAllGlobals();
  sources.all.length = 0;
});

function SignedIn() {
  return useSession().data ? (
    <>
      <LobbySign slug="x" />
      <Toasts />
    </>
  ) : null;
}

async function open(at: string) {
  const state: { lobby: Lobby } = { lobby: lobbyOf() };
  const server = serve({
    "GET /api/v1/session": { body: { person: { id: 3 }, is_owner: false, benchmarks: [], build: "1", live: `http://${window.location.hostname}:8001/events/` } },
    "GET /api/v1/benchmarks/x/lobby": () => ({ body: state.lobby }),
  });
  const { router } = await renderScreen(<SignedIn />, { at, path: "/b/:slug/*" });
  await vi.waitFor(() => expect(sources.all).toHaveLength(1));
  const reads = () => server.asked.filter(({ path }) => path.endsWith("/lobby")).length;
  const somebodyComes = async (others = 1) => {
    state.lobby = lobbyOf({ others });
    act(() => { sources.last().send("look", { topic: "lobby", id: 4, n: 0 }); });
    await act(() => vi.advanceTimersByTimeAsync(7_000));
  };
  return { router, reads, somebodyComes };
}

test("who is elsewhere in the application reads once that someone waits, and can join", async () => {
  const { router, reads, somebodyComes } = await open("/b/x/pictures");
  act(() => { sources.last().send("hello"); });
  await act(() => vi.advanceTimersByTimeAsync(7_000));
  const before = reads();
  await somebodyComes();
  expect(reads()).toBe(before + 1);
  expect(screen.getAllByText("Someone is waiting for a partner for a dialogue")).toHaveLength(1);
  const keys = userEvent.setup({ delay: null, advanceTimers: vi.advanceTimersByTime.bind(vi) });
  await keys.click(screen.getByRole("button", { name: "Join" }));
  expect(router.state.location.pathname).toBe("/b/x/write/dialogue");
  await act(() => router.navigate("/b/x"));
  await somebodyComes(2);
  expect(screen.queryByText("Someone is waiting for a partner for a dialogue")).toBeNull();
});

test("without events it reads nothing, and in the lobby itself it is silent", async () => {
  const away = await open("/b/x");
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(away.reads()).toBe(1);
  cleanup();
  sources.all.length = 0;
  const there = await open("/b/x/write/dialogue");
  await there.somebodyComes();
  expect(there.reads()).toBe(1);
  expect(screen.queryByRole("button", { name: "Join" })).toBeNull();
});
