import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeSources } from "@/testing/events";
import { signals } from "../signals";
import { Live, POLL_MS } from "./live";
import { keepStreamOpen } from "./stream";

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => {
  vi.useRealTimers();
  signals.signedIn();
});

function started() {
  const sources = fakeSources();
  const live = new Live((address, emit) => keepStreamOpen(address, emit, sources.open));
  live.locate("/events/");
  return { live, sources };
}

describe("what is new on a page", () => {
  it("is read when an event names its row, and when the stream begins", () => {
    const { live, sources } = started();
    expect(sources.all).toHaveLength(0);
    const [mine, others] = [vi.fn(), vi.fn()];
    live.subscribe("dialogue", 7, mine);
    live.subscribe("dialogue", 8, others);
    live.subscribe("lobby", 7, others);
    expect(sources.all).toHaveLength(1);
    expect(sources.last().address).toBe(`${window.location.origin}/events/`);
    sources.last().send("hello");
    expect(mine.mock.calls).toEqual([[null]]);
    expect(live.state.snapshot()).toBe("live");
    sources.last().send("look", { topic: "dialogue", id: 7, n: 3 });
    expect(mine.mock.calls).toEqual([[null], [3]]);
    expect(others).toHaveBeenCalledTimes(2);
  });

  it("is read every two seconds while there is no stream, and not while there is one", () => {
    const { live, sources } = started();
    const callback = vi.fn();
    live.subscribe("lobby", 1, callback);
    expect(live.state.snapshot()).toBe("polling");
    vi.advanceTimersByTime(POLL_MS);
    expect(callback).toHaveBeenCalledTimes(1);
    sources.last().send("hello");
    expect(callback).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(10 * POLL_MS);
    expect(callback).toHaveBeenCalledTimes(2);
    sources.last().send("error");
    expect(live.state.snapshot()).toBe("polling");
    vi.advanceTimersByTime(2 * POLL_MS);
    expect(callback).toHaveBeenCalledTimes(4);
    sources.last().send("hello");
    expect(live.state.snapshot()).toBe("live");
    expect(callback).toHaveBeenCalledTimes(5);
  });

  it("is read by nobody once nobody subscribes: the stream and the reading end", () => {
    const { live, sources } = started();
    const callback = vi.fn();
    const end = live.subscribe("lobby", 1, callback);
    sources.last().send("hello");
    end();
    expect(sources.last().isClosed).toBe(true);
    vi.advanceTimersByTime(10 * POLL_MS);
    expect(callback).toHaveBeenCalledTimes(1);
    live.subscribe("lobby", 1, callback);
    expect(sources.all).toHaveLength(2);
  });

  it("is not read while nobody is signed in", () => {
    const { live, sources } = started();
    const unsubscribe = signals.subscribe(live.adjust);
    const callback = vi.fn();
    live.subscribe("lobby", 1, callback);
    signals.signedOut();
    expect(sources.last().isClosed).toBe(true);
    vi.advanceTimersByTime(10 * POLL_MS);
    expect(callback).not.toHaveBeenCalled();
    signals.signedIn();
    expect(sources.all).toHaveLength(2);
    unsubscribe();
  });

  it("needs no stream where the browser would send no session to it", () => {
    const { live, sources } = started();
    live.locate("http://elsewhere.example.org/events/");
    const callback = vi.fn();
    live.subscribe("lobby", 1, callback);
    expect(sources.all).toHaveLength(0);
    vi.advanceTimersByTime(POLL_MS);
    expect(callback).toHaveBeenCalledTimes(1);
    live.locate(`http://${window.location.hostname}:8001/events/`);
    expect(sources.last().address).toBe(`http://${window.location.hostname}:8001/events/`);
  });

  it("waits while the tab is in the background and polls", () => {
    const { live } = started();
    const callback = vi.fn();
    live.subscribe("lobby", 1, callback);
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    vi.advanceTimersByTime(5 * POLL_MS);
    expect(callback).not.toHaveBeenCalled();
    hidden.mockRestore();
    vi.advanceTimersByTime(POLL_MS);
    expect(callback).toHaveBeenCalledTimes(1);
  });
});
