import "fake-indexeddb/auto";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { deleteDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { live } from "@/api/live/live";
import { useSession } from "@/api/session";
import type { Dialogue } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { PICTURE, talkOf, turnOf } from "@/testing/dialogues";
import { fakeSources, type FakeSource } from "@/testing/events";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { FootBar, KeySheets } from "@/ui/keys";
import { ChatPage } from "./ChatPage";

const sources = fakeSources();
let database = 0;

beforeEach(() => {
  Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
  vi.stubGlobal("EventSource", function open(address: string): FakeSource {
    return sources.open(address);
  });
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() { return undefined; }
      disconnect() { return undefined; }
    },
  );
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
});
afterEach(async () => {
  cleanup();
  await new Promise((done) => setTimeout(done));
  // Files share their modules: another one's pages would open this stream.
  live.locate("http://elsewhere.example.org/");
  vi.unstubAllGlobals();
  sources.all.length = 0;
  database += 1;
  await deleteDB("lantern-talk", { blocked: () => undefined });
});

function SignedIn() {
  return useSession().data ? (
    <>
      <ChatPage />
      <KeySheets />
      <FootBar />
    </>
  ) : null;
}

/** A server with one dialogue, which `change` moves on as the partner would. */
async function open(first: Partial<Dialogue> = {}, onSay?: (asked: Asked) => { status: number; body?: unknown } | undefined) {
  // A dialogue of its own for each test: the browser's database is closed a moment after the page.
  const id = 100 + database;
  let now = talkOf({ ...first, id });
  const own = now.part;
  const moved = (changes: Partial<Dialogue>) => {
    now = { ...now, ...changes };
    return now;
  };
  const stream = `http://${window.location.hostname}:8001/events/`;
  const at = `/api/v1/dialogues/${id}`;
  const server = serve({
    "GET /api/v1/session": { body: { person: { id: 3, username: "t1", name: "T", language: "en" }, is_owner: false, benchmarks: [{ slug: "x", title: {}, operations: ["lobby_join", "item_show"], kinds: ["dialogue"], roles: [], teams: [] }], build: "1", live: stream } },
    [`GET ${at}`]: () => ({ body: now }),
    [`GET ${at}/turns`]: ({ query }) => ({
      body: { state: now.state, turn_no: now.turn_no, turns: now.turns.filter(({ no }) => no > Number(query.get("after"))), partner_is_ready: now.partner_is_ready, partner_away_seconds: now.partner_away_seconds },
    }),
    [`POST ${at}/turns`]: (asked) => {
      const answer = onSay?.(asked);
      if (answer) return answer;
      const { no, text } = asked.body as { no: number; text: string };
      return { body: moved({ turns: [...now.turns, turnOf(no, { text })], turn_no: no, is_my_turn: false }) };
    },
    [`POST ${at}/sign`]: { status: 204 },
    [`POST ${at}/pause`]: () => ({ body: moved({ state: "paused", is_my_turn: false, paused_at: "2026-11-28T10:00:00Z", available_actions: ["dialogue_resume", "dialogue_leave"] }) }),
    [`POST ${at}/resume`]: () => ({ body: moved(now.partner_is_ready ? { state: "open", is_my_turn: true, paused_at: null, available_actions: ["turn_say"] } : { is_ready: true }) }),
    [`POST ${at}/leave`]: () => ({ body: moved({ state: "left", reason: "no_time", is_my_turn: false, available_actions: [] }) }),
  });
  const { router } = await renderScreen(<SignedIn />, { at: `/b/x/write/dialogue/${id}`, path: "/b/:slug/write/dialogue/:dialogueId" });
  await screen.findByTestId("talk");
  const keys = userEvent.setup({ delay: null });
  const posts = (name: string) => server.asked.filter(({ method, path }) => method === "POST" && path === `${at}/${name}`).map(({ body }) => body as Record<string, unknown>);
  const event = (topic: string, n: number) => act(() => { sources.last().send("look", { topic, id, n }); });
  /** The partner's turn arrives by an event. */
  const partnerSays = (text: string) => {
    const no = now.turn_no + 1;
    moved({ turns: [...now.turns, turnOf(no, { text })], turn_no: no, is_my_turn: true });
    event("dialogue", no);
  };
  return { keys, server, posts, moved, event, partnerSays, own, router };
}
const field = () => screen.getByTestId<HTMLTextAreaElement>("composer");
/** Types a text and sends it, once the page knows what an earlier visit left. */
async function send(keys: ReturnType<typeof userEvent.setup>, text: string) {
  if (text !== "") await keys.type(field(), text);
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("send").disabled).toBe(false));
  await keys.type(field(), "{Enter}");
}
const isLive = () => act(() => { sources.last().send("hello"); });

test("two take turns: Enter sends, Shift+Enter does not, and an input method keeps its Enter", async () => {
  const { keys, posts, partnerSays } = await open();
  isLive();
  expect(screen.getByTestId("caption").textContent).toBe("两只大熊猫坐在草地上。");
  expect(screen.getByTestId("round").textContent).toBe("Round 1 / 10");
  expect(document.activeElement).toBe(field());
  await keys.type(field(), "左边有{Shift>}{Enter}{/Shift}什么？");
  fireEvent.keyDown(field(), { key: "Enter", isComposing: true });
  fireEvent.keyDown(field(), { key: "Enter", keyCode: 229 });
  expect(posts("turns")).toEqual([]);
  await send(keys, "");
  expect((await screen.findByTestId("turn-1")).textContent).toContain("什么？");
  expect(posts("turns")).toMatchObject([{ no: 1, text: "左边有\n什么？" }]);
  expect(field().value).toBe("");
  expect(screen.getByTestId("whose-turn").textContent).toBe("Your partner is answering");
  await keys.type(field(), "下一个问题{Enter}");
  expect(posts("turns")).toHaveLength(1);
  partnerSays("左边有两只熊猫。");
  expect((await screen.findByTestId("turn-2")).textContent).toContain("左边有两只熊猫。");
  expect(screen.getByTestId("round").textContent).toBe("Round 2 / 10");
  expect(screen.getByTestId("whose-turn").textContent).toBe("Your turn: ask a question");
  expect(field().value).toBe("下一个问题");
  expect(screen.getByRole("log").getAttribute("aria-live")).toBe("polite");
  expect(await axeFaults()).toEqual([]);
});

test("who asks has no picture on the page, who answers has one without a name", async () => {
  await open();
  expect(document.querySelectorAll("img, image, svg")).toHaveLength(0);
  cleanup();
  database += 1;
  await open({ part: "answer", is_my_turn: false, image: PICTURE });
  expect(await screen.findByRole("img", { name: "The picture you are asked about" })).toBeTruthy();
  expect(document.querySelector("image")?.getAttribute("href")).toBe(PICTURE.view_url);
});

test("typing shows for a while at the partner, and is sent now and then without the text", async () => {
  const { keys, posts, event } = await open({ part: "answer", is_my_turn: false });
  isLive();
  event("typing", 1);
  expect(screen.getByTestId("typing").textContent).toBe("Your partner is typing…");
  event("typing", 3); // of a turn that the page does not expect
  expect(screen.getByTestId("typing").textContent).toBe("");
  await keys.type(field(), "不是我");
  expect(posts("sign")).toEqual([]);
  cleanup();
  database += 1;
  const mine = await open();
  await mine.keys.type(field(), "左边有什么");
  expect(mine.posts("sign")).toEqual([{ typing: true }]);
});

test("what was typed is there again when the page is opened again, and a rejected text is not lost", async () => {
  const stale = { status: 409, body: { code: "stale_turn", params: { position: 3 }, detail: "" } };
  const { keys, posts } = await open({}, () => stale);
  await send(keys, "左边有什么？");
  expect((await screen.findByTestId("problem")).dataset.code).toBe("stale_turn");
  expect(field().value).toBe("左边有什么？");
  expect(posts("turns")).toHaveLength(1);
  await new Promise((done) => setTimeout(done, 50));
  cleanup();
  await open();
  await waitFor(() => expect(field().value).toBe("左边有什么？"));
});

test("a turn that met no server is shown as not sent, and is sent again under the same key", async () => {
  let isAway = true;
  const { keys, posts } = await open({}, () => (isAway ? { status: 503 } : undefined));
  await send(keys, "左边有什么？");
  await waitFor(() => expect(screen.getByTestId("sent-turn").textContent).toContain("Not sent yet"));
  isAway = false;
  await keys.click(screen.getByTestId("send-again"));
  await screen.findByTestId("turn-1");
  const [first, second] = posts("turns");
  expect(second).toEqual(first);
  expect(screen.queryByTestId("sent-turn")).toBeNull();
});

test("a pause ends when both are back", async () => {
  const { keys, moved, event } = await open();
  isLive();
  await keys.type(field(), "还没写完");
  await keys.keyboard("{Alt>}p{/Alt}");
  expect((await screen.findByTestId("paused")).textContent).toContain("once both of you are back");
  expect(screen.getByTestId("unsent").textContent).toContain("还没写完");
  moved({ partner_is_ready: true });
  event("dialogue", 0);
  await waitFor(() => expect(screen.getByTestId("paused").textContent).toContain("Your partner is back"));
  await keys.click(screen.getByTestId("resume"));
  await waitFor(() => expect(field().value).toBe("还没写完"));
});

test("leaving asks for a reason that the person can know", async () => {
  const { keys, posts } = await open();
  await keys.click(screen.getByTestId("leave"));
  expect(screen.queryByTestId("reason-picture")).toBeNull();
  expect(screen.getByTestId<HTMLButtonElement>("leave-confirm").disabled).toBe(true);
  await keys.click(screen.getByTestId("reason-no_time"));
  await keys.click(screen.getByTestId("leave-confirm"));
  expect((await screen.findByTestId("dialogue-left")).textContent).toContain("out of time");
  expect(posts("leave")).toMatchObject([{ reason: "no_time" }]);
});

test("the end says that the transcript was submitted, and leads the answerer to it", async () => {
  const turns = Array.from({ length: 20 }, (_, index) => turnOf(index + 1));
  await open({ part: "answer", state: "done", is_my_turn: false, turns, turn_no: 20, item: { id: 70, label: "dlg-000001" }, image: PICTURE, available_actions: [] });
  expect(screen.getByTestId("dialogue-done").textContent).toContain("All 10 rounds are complete");
  expect(screen.getByTestId("to-item").getAttribute("href")).toBe("/b/x/items/70");
  expect(screen.queryByTestId("composer")).toBeNull();
});

test("hints stand beside their turns, and a partner who is away is named", async () => {
  const turns = [turnOf(1, { flags: ["question_reason"] }), turnOf(2, { text: "两只。", flags: ["answer_fragment", "new_check"] })];
  await open({ turns, turn_no: 2, partner_away_seconds: 130 });
  expect(screen.getByTestId("hint-question_reason").textContent).toContain("things that can be seen");
  expect(screen.getByTestId("hint-answer_fragment").textContent).toContain("full sentence");
  expect(screen.getByTestId("hint-new_check").textContent).toContain("Flagged");
  expect(screen.getByTestId("partner").textContent).toBe("Partner away for 2 min");
});

test("without events the page reads every two seconds what comes after the last turn", async () => {
  const { server, moved } = await open({ part: "answer", is_my_turn: false });
  moved({ turns: [turnOf(1)], turn_no: 1, is_my_turn: true });
  await screen.findByTestId("turn-1", {}, { timeout: 4_000 });
  expect(server.asked.find(({ path }) => path.endsWith("/turns"))?.query.get("after")).toBe("0");
});
