import { expect, it } from "vitest";
import { isFound } from "./found";

it("finds by a part of a name in any language, of the pinyin or of its initials", () => {
  const lionDance = ["舞狮", "舞獅", "lion dance", "wushi", "ws"];
  for (const typed of ["狮", "獅", "Lion  dance", " USHI ", "ws", ""]) expect(isFound(lionDance, typed), typed).toBe(true);
  for (const typed of ["wu shi", "dragon", "狮舞"]) expect(isFound(lionDance, typed), typed).toBe(false);
  expect(isFound([], "x")).toBe(false);
});
