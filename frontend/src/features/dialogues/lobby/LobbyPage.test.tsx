import { act, cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import type { Lobby } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { lobbyOf } from "@/testing/dialogues";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { FootBar, KeySheets } from "@/ui/keys";
import { LobbyPage } from "./LobbyPage";

afterEach(async () => {
  vi.useRealTimers();
  cleanup();
  await new Promise((done) => setTimeout(done));
  vi.unstubAllGlobals();
});

function SignedIn() {
  return useSession().data ? (
    <>
      <LobbyPage />
      <KeySheets />
      <FootBar />
    </>
  ) : null;
}

const OPEN = { id: 12, state: "open", part: "question", caption: "两只大熊猫。", turn_no: 3, rounds: 10, paused_at: null } as const;

async function open(first: Partial<Lobby> = {}, guideline: { status?: number; body?: unknown } = { status: 404, body: { code: "not_found", params: {}, detail: "" } }) {
  let now = lobbyOf(first);
  const moved = (changes: Partial<Lobby>) => {
    now = { ...now, ...changes };
    return now;
  };
  const b = "/api/v1/benchmarks/x";
  const server = serve({
    "GET /api/v1/session": { body: { person: { id: 3, username: "t1", name: "T", language: "en" }, is_owner: false, benchmarks: [{ slug: "x", title: {}, operations: ["lobby_join"], kinds: ["dialogue"], roles: [], teams: [] }], build: "1" } },
    [`GET ${b}/lobby`]: () => ({ body: now }),
    [`GET ${b}/guidelines/dialogue`]: guideline,
    [`POST ${b}/lobby`]: ({ body }) => ({ body: moved({ waits_as: (body as { parts: Lobby["parts"] }).parts }) }),
    [`POST ${b}/lobby/leave`]: () => ({ body: moved({ waits_as: [] }) }),
    [`POST ${b}/guidelines/dialogue/acknowledge`]: { body: { version: 1, acknowledged: true } },
  });
  const { router, unmount } = await renderScreen(<SignedIn />, { at: "/b/x/write/dialogue", path: "/b/:slug/write/dialogue" });
  const keys = userEvent.setup({ delay: null, advanceTimers: vi.advanceTimersByTime.bind(vi) });
  const posts = (path: string) => server.asked.filter((one) => one.method === "POST" && one.path === `${b}/${path}`).map(({ body }) => body);
  return { keys, server, posts, moved, router, unmount };
}

test("who waits alone reads so, and gets into the chat by itself once a partner comes", async () => {
  const { keys, posts, moved, router } = await open();
  await screen.findByTestId("wait");
  await keys.click(screen.getByTestId("part-answer"));
  await keys.click(screen.getByTestId("wait"));
  expect((await screen.findByTestId("waiting")).textContent).toContain("No one else is waiting. You will be notified when someone joins.");
  expect(posts("lobby")).toEqual([{ parts: ["answer"] }]);
  expect(await axeFaults()).toEqual([]);
  moved({ waits_as: [], dialogues: [OPEN] });
  await waitFor(() => expect(router.state.location.pathname).toBe("/b/x/write/dialogue/12"), { timeout: 4_000 });
});

test("who leaves the page or stops waits no longer", async () => {
  const { keys, posts, unmount } = await open();
  await screen.findByTestId("wait");
  await keys.keyboard("{Enter}");
  await screen.findByTestId("waiting");
  expect(posts("lobby")).toEqual([{ parts: ["question", "answer"] }]);
  await keys.keyboard("x");
  await screen.findByTestId("wait");
  expect(posts("lobby/leave")).toHaveLength(1);
  await keys.keyboard("{Enter}");
  await screen.findByTestId("waiting");
  unmount();
  expect(posts("lobby/leave")).toHaveLength(2);
});

test("a sign is given while the page waits", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { keys, posts } = await open();
  await screen.findByTestId("wait");
  await keys.click(screen.getByTestId("wait"));
  await screen.findByTestId("waiting");
  await act(() => vi.advanceTimersByTimeAsync(41_000));
  expect(posts("lobby")).toHaveLength(3);
});

test("guidelines come first", async () => {
  const text = { "zh-Hans": "问看得到的事物。", en: "Ask about **things**." };
  const { keys, posts, server } = await open({}, { body: { kind: "dialogue", version: 1, text, acknowledged: false, versions: [] } });
  await waitFor(() => expect(screen.getByTestId("guideline-first").textContent).toContain("Ask about things."));
  expect(screen.getByTestId<HTMLButtonElement>("wait").disabled).toBe(true);
  server.replies["GET /api/v1/benchmarks/x/guidelines/dialogue"] = { body: { kind: "dialogue", version: 1, text, acknowledged: true, versions: [] } };
  await keys.keyboard("{Alt>}a{/Alt}");
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("wait").disabled).toBe(false));
  expect(posts("guidelines/dialogue/acknowledge")).toEqual([{ version: 1 }]);
});

test("unfinished dialogues lead back, and in an open one nobody waits for another", async () => {
  await open({ dialogues: [OPEN] });
  expect((await screen.findByTestId("open-12")).getAttribute("href")).toBe("/b/x/write/dialogue/12");
  expect(screen.getByTestId("dialogue-12").textContent).toContain("Round 2 / 10");
  expect(screen.queryByTestId("wait")).toBeNull();
});

test("who can open every picture only answers, and the refusal of a request is a sentence", async () => {
  const { keys, server } = await open({ parts: ["answer"] });
  await screen.findByText("You answer the questions.");
  server.replies["POST /api/v1/benchmarks/x/lobby"] = { status: 409, body: { code: "guideline_not_acknowledged", params: { version: 2 }, detail: "" } };
  await keys.click(screen.getByTestId("wait"));
  expect((await screen.findByTestId("problem")).dataset.code).toBe("guideline_not_acknowledged");
  expect(screen.queryByTestId("waiting")).toBeNull();
});
