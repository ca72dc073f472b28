/**
 * Ends with each test what it left ticking. Files share their modules, and a verdict that is held for ten seconds, or a
 * look at what is being checked, would otherwise be sent to the server that a later test has put there.
 */
import { afterEach } from "vitest";

type Timer = ReturnType<typeof setTimeout>;
type Stop = (timer: Timer) => void;
type Start = (work: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => Timer;

const ticking = new Set<Timer>();

function remembered(start: Start): Start {
  return (work, ms, ...given) => {
    const timer = start(work, ms, ...given);
    ticking.add(timer);
    return timer;
  };
}

const untouched = Symbol.for("lantern.untouched");
const global = globalThis as unknown as { setTimeout: Start; setInterval: Start; clearTimeout: Stop; fetch: unknown; [untouched]?: [Start, Start, Stop] };
// This file runs before each test file of a thread, and always wraps what was there at first.
const [timeout, interval, stop] = (global[untouched] ??= [global.setTimeout, global.setInterval, global.clearTimeout]);
global.setTimeout = remembered(timeout);
global.setInterval = remembered(interval);
// What asks later still finds the network gone, and no real server.
global.fetch = () => Promise.reject(new TypeError("Failed to fetch"));

afterEach(() => {
  for (const timer of ticking) stop(timer);
  ticking.clear();
});
