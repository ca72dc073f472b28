import { afterEach, describe, expect, it, vi } from "vitest";
import { signals } from "./signals";

afterEach(() => {
  signals.reached(true);
  signals.signedIn();
});

describe("the return of connection and session", () => {
  it("is told once when the connection is back", () => {
    const listener = vi.fn();
    const unsubscribe = signals.onReturn(listener);
    signals.reached(false);
    signals.reached(false);
    expect(listener).not.toHaveBeenCalled();
    signals.reached(true);
    signals.reached(true);
    expect(listener).toHaveBeenCalledTimes(1);
    unsubscribe();
  });

  it("waits for both where both are gone", () => {
    const listener = vi.fn();
    const unsubscribe = signals.onReturn(listener);
    signals.signedOut();
    signals.reached(false);
    signals.reached(true);
    expect(listener).not.toHaveBeenCalled();
    signals.signedIn();
    expect(listener).toHaveBeenCalledTimes(1);
    unsubscribe();
  });
});
