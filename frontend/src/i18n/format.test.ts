import { expect, it } from "vitest";
import { duration, relativeTime } from "./format";

it.each([
  [900, "1 sec"],
  [59_400, "59 sec"],
  [60_000, "1 min"],
  [200_000, "3 min 20 sec"],
  [13_200_000, "3 hr 40 min"],
])("writes %i ms as %s", (ms, text) => {
  expect(duration(ms, "en")).toBe(text);
});

it("writes Chinese with a blank between digits and characters", () => {
  expect(duration(200_000, "zh-Hans")).toBe("3 分钟 20 秒");
  expect(relativeTime("2026-11-20T08:00:00Z", Date.parse("2026-11-23T09:00:00Z"), "zh-Hant")).toBe("3 天前");
  expect(relativeTime("2026-11-22T08:00:00Z", Date.parse("2026-11-23T09:00:00Z"), "zh-Hans")).toBe("昨天");
});
