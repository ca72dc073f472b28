import { beforeEach, describe, expect, it } from "vitest";
import { ActiveTime } from "./activeTime";
import { spentOn } from "./useActiveTime";

let now = 0;
const clock = () => now;
const after = (ms: number) => {
  now += ms;
};

beforeEach(() => {
  now = 1_000;
});

describe("ActiveTime", () => {
  it("counts from where an earlier visit left off", () => {
    const time = new ActiveTime(5_000, clock);
    after(1_500);
    expect(time.ms).toBe(6_500);
  });

  it("counts the first minute of a stretch without input and nothing after it", () => {
    const time = new ActiveTime(0, clock);
    after(59_000);
    time.input();
    after(300_000);
    expect(time.ms).toBe(119_000);
    time.input();
    after(10);
    expect(time.ms).toBe(119_010);
  });

  it("stands still while the page is hidden, whatever arrives meanwhile", () => {
    const time = new ActiveTime(0, clock);
    after(20_000);
    time.visible(false);
    after(30_000);
    time.input();
    expect(time.ms).toBe(20_000);
    time.visible(true);
    after(5_000);
    expect(time.ms).toBe(25_000);
  });

  it("begins to count when a page that opened hidden is looked at", () => {
    const time = new ActiveTime(0, clock, false);
    after(10_000);
    time.visible(true);
    after(1_000);
    expect(time.ms).toBe(1_000);
  });
});

describe("spentOn", () => {
  const draft = { content: {}, seq: 4, base_no: 1, active_ms: 7_000 };

  it("continues from the draft that knows more", () => {
    expect(spentOn({ revision_no: 1, draft, local: { content: {}, seq: 5, base_no: 1, active_ms: 9_000 } })).toBe(9_000);
    expect(spentOn({ revision_no: 1, draft, local: null })).toBe(7_000);
  });

  it("starts again with each revision", () => {
    expect(spentOn({ revision_no: 2, draft, local: null })).toBe(0);
  });
});
