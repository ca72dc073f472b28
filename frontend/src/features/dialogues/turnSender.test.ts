import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { RETRY_MS, TurnSender } from "./turnSender";
import type { SentTurn, UnsentText } from "./unsentText";

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

/** A sender with what the browser keeps, and a server that answers as the test says. */
async function opened(stored: UnsentText | null = null) {
  const kept: (UnsentText | null)[] = [];
  const said: SentTurn[] = [];
  const server: { answer: () => Promise<void> } = { answer: () => Promise.resolve() };
  let keys = 0;
  const sender = new TurnSender({
    keeper: { load: () => Promise.resolve(stored), keep: (unsent) => { kept.push(unsent); return Promise.resolve(); } },
    say: (turn) => { said.push(turn); return server.answer(); },
    newKey: () => `key ${(keys += 1)}`,
  });
  await sender.load();
  await vi.advanceTimersByTimeAsync(0);
  return { sender, kept, said, server };
}

const offline = () => Promise.reject(new ApiError(0, "no_connection"));
const rejected = (code: string) => () => Promise.reject(new ApiError(409, code));

it("keeps what is typed, sends it once and forgets it when it has arrived", async () => {
  const { sender, kept, said } = await opened();
  sender.write("  左边有什么？");
  expect(kept.at(-1)).toEqual({ text: "  左边有什么？", sent: null });
  sender.submit(1);
  sender.submit(1);
  const sent = { no: 1, key: "key 1", text: "左边有什么？" };
  expect(kept.at(-1)).toEqual({ text: "", sent });
  await vi.advanceTimersByTimeAsync(0);
  expect(said).toEqual([sent]);
  expect(sender.snapshot()).toMatchObject({ text: "", sent: null });
  expect(kept.at(-1)).toBeNull();
});

it("sends nothing but blanks, and nothing before it knows what an earlier visit left", async () => {
  const { sender, said } = await opened();
  sender.write(" \n ");
  sender.submit(1);
  expect(said).toEqual([]);
});

it("sends a turn again under its key until the server has it, and the next text waits in the field", async () => {
  const { sender, said, server, kept } = await opened();
  server.answer = offline;
  sender.write("一");
  sender.submit(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(sender.snapshot()).toMatchObject({ isStuck: true, sent: { no: 1, key: "key 1" } });
  sender.write("二");
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  server.answer = () => Promise.resolve();
  sender.retry();
  await vi.advanceTimersByTimeAsync(0);
  expect(said.map(({ key }) => key)).toEqual(["key 1", "key 1", "key 1"]);
  expect(sender.snapshot()).toMatchObject({ isStuck: false, sent: null, text: "二" });
  expect(kept.at(-1)).toEqual({ text: "二", sent: null });
});

it("puts a rejected turn back into the field, in front of what was typed since", async () => {
  const { sender, server, kept } = await opened();
  let reject: (reason: Error) => void = () => undefined;
  server.answer = () => new Promise((_, no) => { reject = no; });
  sender.write("一");
  sender.submit(1);
  sender.write("二");
  reject(new ApiError(409, "stale_turn", { position: 2 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(sender.snapshot()).toMatchObject({ text: "一\n二", sent: null, error: { code: "stale_turn" } });
  expect(kept.at(-1)).toEqual({ text: "一\n二", sent: null });
  sender.write("一");
  expect(sender.snapshot().error).toBeNull();
  server.answer = rejected("not_your_turn");
  sender.submit(2);
  await vi.advanceTimersByTimeAsync(0);
  expect(sender.snapshot()).toMatchObject({ text: "一", error: { code: "not_your_turn" } });
});

it("brings back what an earlier visit left: the text, and the turn that was on its way, under its key", async () => {
  const { sender, said } = await opened({ text: "还没写完", sent: { no: 3, key: "kept", text: "问" } });
  expect(said).toEqual([{ no: 3, key: "kept", text: "问" }]);
  expect(sender.snapshot()).toMatchObject({ text: "还没写完", sent: null });
});

it("waits for the next sign-in where the session has ended, and stops with the page", async () => {
  const { sender, said, server } = await opened();
  server.answer = () => Promise.reject(new ApiError(401, "not_signed_in"));
  sender.write("一");
  sender.submit(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(sender.snapshot()).toMatchObject({ isStuck: true });
  sender.stop();
  await vi.advanceTimersByTimeAsync(10 * RETRY_MS);
  expect(said).toHaveLength(1);
});
