import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { OutgoingComments, type Outgoing } from "./outgoing";

let kept: Map<string, string>;
let keys = 0;
const send = vi.fn<(comment: Outgoing) => Promise<string>>();

function open(): OutgoingComments<string> {
  const keep = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return new OutgoingComments({ name: "comments.7", keep, send, newKey: () => `key-${(keys += 1)}` });
}

beforeEach(() => {
  vi.useFakeTimers();
  kept = new Map();
  keys = 0;
  send.mockReset().mockImplementation(({ text }) => Promise.resolve(text));
});
afterEach(() => vi.useRealTimers());

describe("OutgoingComments", () => {
  it("sends in the order of writing and keeps nothing afterwards", async () => {
    const comments = open();
    const heard: string[] = [];
    comments.onSent((_, answer) => heard.push(answer));
    comments.add(1, "一", []);
    comments.add(1, "二", [3]);
    await comments.flush();
    expect(heard).toEqual(["一", "二"]);
    expect([comments.snapshot(), kept.size]).toEqual([[], 0]);
  });

  it("keeps a comment through an outage and a closed page, and sends it once under one key", async () => {
    send.mockRejectedValueOnce(new ApiError(0, "no_connection"));
    const before = open();
    before.add(1, "看这里", [3]);
    await before.flush();
    expect(before.snapshot()).toHaveLength(1);
    const after = open();
    await after.flush();
    expect(send.mock.calls.map(([{ key }]) => key)).toEqual(["key-1", "key-1"]);
    expect(kept.size).toBe(0);
  });

  it("tries again by itself after a while", async () => {
    send.mockRejectedValueOnce(new ApiError(503, "server_failed"));
    const comments = open();
    comments.add(1, "看这里", []);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(comments.snapshot()).toEqual([]);
  });

  it("holds a refused comment with its reason and goes on with the next", async () => {
    send.mockRejectedValueOnce(new ApiError(422, "cannot_mention", { person: 3 }));
    const comments = open();
    comments.add(1, "请看", [3]);
    comments.add(2, "好", []);
    await comments.flush();
    expect(comments.snapshot().map(({ text, refused }) => [text, refused?.code])).toEqual([["请看", "cannot_mention"]]);
    comments.drop("key-1");
    expect(kept.size).toBe(0);
  });
});
