import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeSources } from "@/testing/events";
import { keepStreamOpen, SILENCE_MS, type Signal } from "./stream";

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

function opened() {
  const sources = fakeSources();
  const heard: Signal[] = [];
  const close = keepStreamOpen("/events/", (signal) => heard.push(signal), sources.open);
  return { sources, heard, close };
}

describe("a stream of events", () => {
  it("is opened again after a 502, which ends an EventSource for good, and begins with hello", () => {
    const { sources, heard } = opened();
    sources.last().send("hello");
    sources.last().send("error");
    expect(sources.all[0]?.isClosed).toBe(true);
    vi.advanceTimersByTime(499);
    expect(sources.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sources.all).toHaveLength(2);
    sources.last().send("hello");
    expect(heard.map(({ kind }) => kind)).toEqual(["hello", "away", "hello"]);
  });

  it("pauses 0.5, 1, 2, 4 and then 8 seconds between failures, and 0.5 again after a hello", () => {
    const { sources } = opened();
    for (const pause of [500, 1_000, 2_000, 4_000, 8_000, 8_000]) {
      const before = sources.all.length;
      sources.last().send("error");
      vi.advanceTimersByTime(pause - 1);
      expect(sources.all).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(sources.all).toHaveLength(before + 1);
    }
    sources.last().send("hello");
    sources.last().send("error");
    const before = sources.all.length;
    vi.advanceTimersByTime(500);
    expect(sources.all).toHaveLength(before + 1);
  });

  it("passes on what is to be looked at, and nothing of another form", () => {
    const { sources, heard } = opened();
    sources.last().send("look", { topic: "lobby", id: 3, n: 4 });
    for (const other of ["", "{", "null", "[]", '{"topic":1,"id":3,"n":4}', '{"topic":"lobby","id":"3","n":4}']) sources.last().send("look", other);
    expect(heard).toEqual([{ kind: "look", topic: "lobby", id: 3, n: 4 }]);
  });

  it("counts as failed when the server is silent for longer than its pings allow", () => {
    const { sources, heard } = opened();
    sources.last().send("hello");
    vi.advanceTimersByTime(SILENCE_MS - 1);
    sources.last().send("ping");
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(heard.map(({ kind }) => kind)).toEqual(["hello", "ping"]);
    vi.advanceTimersByTime(1);
    expect(heard.at(-1)).toEqual({ kind: "away" });
    expect(sources.all[0]?.isClosed).toBe(true);
  });

  it("that was replaced is ignored", () => {
    const { sources, heard } = opened();
    const [first] = sources.all;
    first?.send("error");
    first?.send("error");
    first?.send("hello");
    vi.advanceTimersByTime(500);
    expect(sources.all).toHaveLength(2);
    first?.send("look", { topic: "lobby", id: 3, n: 4 });
    expect(heard).toEqual([{ kind: "away" }]);
  });

  it("stays closed once it is closed", () => {
    const { sources, close } = opened();
    close();
    expect(sources.last().isClosed).toBe(true);
    sources.last().send("error");
    vi.advanceTimersByTime(100_000);
    expect(sources.all).toHaveLength(1);
  });
});
