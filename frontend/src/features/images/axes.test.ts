import { describe, expect, it } from "vitest";
import { chosenIn, chosenText, knownText } from "./axes";
import { withDetails } from "./intake/details";

const name = { "zh-Hans": "x", "zh-Hant": "x", en: "x" };
const axes = [
  { code: "grade", name, values: [{ slug: "high", name }] },
  { code: "difficulty", name, values: [{ slug: "hard", name }] },
];

describe("values of dimensions in an address", () => {
  it("are read and written, and what is no pair is left out", () => {
    expect(chosenIn("grade:high difficulty:hard")).toEqual({ grade: "high", difficulty: "hard" });
    expect(chosenIn("grade: :high grade:high:low nothing")).toEqual({});
    expect(chosenIn(undefined)).toEqual({});
    expect(chosenText({ grade: "high", difficulty: "" })).toBe("grade:high");
  });

  it("are asked of the server only if the benchmark has them", () => {
    expect(knownText("grade:high difficulty:very colour:red", axes)).toBe("grade:high");
    expect(knownText("colour:red", axes)).toBeUndefined();
  });
});

describe("withDetails", () => {
  it("changes the named dimensions only", () => {
    const before = { licence: "x", axes: { grade: "high", difficulty: "hard" } };
    expect(withDetails(before, { axes: { difficulty: "" } })).toEqual({ licence: "x", axes: { grade: "high", difficulty: "" } });
    expect(withDetails(before, { licence: "y" })).toEqual({ licence: "y", axes: { grade: "high", difficulty: "hard" } });
    expect(withDetails({}, { licence: "y" })).toEqual({ licence: "y" });
  });
});
