import type { TFunction } from "i18next";
import { describe, expect, it } from "vitest";
import type { Fault } from "@/api/types";
import { byLine, faultText, lineAt, lineCount, lineRange, nextFaultyLine, placeText } from "./faults";

const TEXT = "meta:\n  name: x\n\nkinds: {}";
const fault = (line: number, part: Partial<Fault> = {}): Fault => ({ line, key: "k", message: "expected this", code: "", params: {}, ...part });

describe("lines", () => {
  it.each([
    [1, [0, 5]],
    [2, [6, 15]],
    [3, [16, 16]],
    [4, [17, 26]],
    [9, [26, 26]],
  ] as const)("line %i stands at %j", (line, range) => {
    expect(lineRange(TEXT, line)).toEqual(range);
  });

  it.each([
    [0, 1],
    [5, 1],
    [6, 2],
    [16, 3],
    [17, 4],
    [26, 4],
  ])("place %i is on line %i", (place, line) => {
    expect(lineAt(TEXT, place)).toBe(line);
  });

  it("counts an empty text as one line and a last line feed as one more", () => {
    expect([lineCount(""), lineCount("a"), lineCount("a\n")]).toEqual([1, 1, 2]);
  });
});

describe("faults", () => {
  it("stand together by line", () => {
    const lines = byLine([fault(3), fault(1), fault(3, { key: "other" })]);
    expect([...lines].map(([line, faults]) => [line, faults.map((one) => one.key)])).toEqual([
      [3, ["k", "other"]],
      [1, ["k"]],
    ]);
  });

  it("are gone through in the order of lines, beginning again at the end", () => {
    const faults = [fault(9), fault(2), fault(9)];
    expect([0, 2, 8, 9].map((after) => nextFaultyLine(faults, after))).toEqual([2, 9, 9, 2]);
    expect(nextFaultyLine([], 1)).toBeNull();
  });

  it("are asked for in the reader's language by code, and as the server words them otherwise", () => {
    const t = ((keys: string[], values: Record<string, unknown>) => `${keys.join(" or ")} ${JSON.stringify(values)}`) as unknown as TFunction;
    expect(faultText(t, fault(1, { code: "too_large", params: { le: "10" } }))).toBe(
      'benchmarks:fault.too_large or benchmarks:fault.other {"le":"10","message":"expected this"}',
    );
  });
});

describe("the place of a fault", () => {
  const texts: Record<string, string> = { "place.fields": "Fields", "place.name": "Name", "place.categories": "Categories" };
  const t = ((keys: string | string[], values: { number?: number; message?: string } = {}) => {
    const key = [keys].flat()[0]?.replace("benchmarks:", "") ?? "";
    return key === "place.entry" ? `entry ${String(values.number)}` : (texts[key] ?? values.message ?? key);
  }) as unknown as TFunction;

  it.each([
    ["fields.0.name.en", "Fields › entry 1 › Name › English"],
    ["fields.2.categories.11.weight", "Fields › entry 3 › Categories › entry 12 › weight"],
  ])("%s of a list is named in the reader's words", (path, text) => {
    expect(placeText(t, path, { isList: true })).toBe(text);
  });

  it("keys of a protocol stay as they are typed, entries are counted from one", () => {
    expect(placeText(t, "kinds.captions.review_reasons.0.name")).toBe("kinds › captions › review_reasons › entry 1 › name");
  });
});
