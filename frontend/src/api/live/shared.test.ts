import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeBrowser, fakeSources } from "@/testing/events";
import { shareStream, type Tabs } from "./shared";
import { SILENCE_MS, type Signal } from "./stream";

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

function tab(browser: Tabs, sources: ReturnType<typeof fakeSources>) {
  const heard: Signal["kind"][] = [];
  const close = shareStream("/events/", ({ kind }) => heard.push(kind), sources.open, browser);
  return { heard, close };
}

describe("the tabs of a browser", () => {
  it("share one stream, also a tab that comes later", () => {
    const browser = fakeBrowser();
    const sources = fakeSources();
    const first = tab(browser, sources);
    const second = tab(browser, sources);
    sources.last().send("hello");
    sources.last().send("look", { topic: "lobby", id: 1, n: 1 });
    const third = tab(browser, sources);
    sources.last().send("look", { topic: "lobby", id: 1, n: 2 });
    expect(sources.all).toHaveLength(1);
    expect(first.heard).toEqual(["hello", "look", "look"]);
    expect(second.heard).toEqual(["hello", "look", "look"]);
    expect(third.heard).toEqual(["hello", "look"]);
  });

  it("know when the stream is away, and take its next sign for a beginning", () => {
    const browser = fakeBrowser();
    const sources = fakeSources();
    tab(browser, sources);
    const second = tab(browser, sources);
    sources.last().send("hello");
    sources.last().send("error");
    vi.advanceTimersByTime(500);
    sources.last().send("hello");
    expect(second.heard).toEqual(["hello", "away", "hello"]);
  });

  it("go on with a stream of another tab when the first one is closed", async () => {
    const browser = fakeBrowser();
    const sources = fakeSources();
    const first = tab(browser, sources);
    const second = tab(browser, sources);
    const third = tab(browser, sources);
    sources.last().send("hello");
    first.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(sources.all.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    sources.last().send("hello");
    expect(second.heard).toEqual(["hello", "hello"]);
    expect(third.heard).toEqual(["hello", "hello"]);
    expect(first.heard).toEqual(["hello"]);
  });

  it("poll when the tab that leads says nothing any more", () => {
    const browser = fakeBrowser();
    const sources = fakeSources();
    tab(browser, sources);
    const second = tab(browser, sources);
    sources.last().send("hello");
    const frozen = vi.spyOn(sources.last(), "send").mockImplementation(() => undefined);
    vi.advanceTimersByTime(SILENCE_MS);
    expect(second.heard).toEqual(["hello", "away"]);
    frozen.mockRestore();
  });

  it("have one stream each where browsers offer no locks", () => {
    const sources = fakeSources();
    const without: Tabs = { ...fakeBrowser(), locks: undefined };
    tab(without, sources);
    tab(without, sources);
    expect(sources.all).toHaveLength(2);
  });
});
