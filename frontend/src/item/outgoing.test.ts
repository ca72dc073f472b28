import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { OutgoingComments, type OutgoingComment } from "./outgoing";

let kept: Map<string, string>;
let keys = 0;
const send = vi.fn<(comment: OutgoingComment) => Promise<string>>();

function open(): OutgoingComments<string> {
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return new OutgoingComments({ name: "comments.7", storage, send, newKey: () => `key-${(keys += 1)}` });
}

beforeEach(() => {
  vi.useFakeTimers();
  kept = new Map();
  keys = 0;
  send.mockReset().mockImplementation(({ work }) => Promise.resolve(work.text));
});
afterEach(() => vi.useRealTimers());

describe("OutgoingComments", () => {
  it("sends in the order of writing and keeps nothing afterwards", async () => {
    const comments = open();
    const heard: string[] = [];
    comments.onResults((answered) => heard.push(...answered.flatMap(({ answer }) => answer ?? [])));
    comments.comment(1, "一", []);
    comments.comment(1, "二", [3]);
    await comments.flush();
    expect(heard).toEqual(["一", "二"]);
    expect([comments.snapshot().entries, kept.size]).toEqual([[], 0]);
  });

  it("keeps a comment through an outage and a closed page, and sends it once under one key", async () => {
    send.mockRejectedValueOnce(new ApiError(0, "no_connection"));
    const before = open();
    before.comment(1, "看这里", [3]);
    await before.flush();
    expect(before.snapshot().entries).toHaveLength(1);
    const after = open();
    await after.flush();
    expect(send.mock.calls.map(([{ key }]) => key)).toEqual(["key-1", "key-1"]);
    expect(kept.size).toBe(0);
  });

  it("tries again by itself after a while", async () => {
    send.mockRejectedValueOnce(new ApiError(503, "server_failed"));
    const comments = open();
    comments.comment(1, "看这里", []);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(comments.snapshot().entries).toEqual([]);
  });

  it("holds a refused comment with its reason and continues with the next", async () => {
    send.mockRejectedValueOnce(new ApiError(422, "cannot_mention", { person: 3 }));
    const comments = open();
    comments.comment(1, "请看", [3]);
    comments.comment(2, "好", []);
    await comments.flush();
    expect(comments.snapshot().entries.map(({ work, state, error }) => [work.text, state, error?.code])).toEqual([["请看", "refused", "cannot_mention"]]);
    comments.drop(comments.snapshot().entries[0]?.subject ?? "");
    expect(kept.size).toBe(0);
  });
});
