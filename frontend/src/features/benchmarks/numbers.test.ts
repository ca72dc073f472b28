import { describe, expect, it } from "vitest";
import { valueAt, withSwitch, withValue } from "./numbers";

const TEXT = `images:
  # size: 9
  quota: {per_category_minimum: 100, per_category_target: 1_000}  # ours
kinds:
  captions:
    package: {size: 7}

tracks:
  package:
    # The paper gives none.
    size: 100  # ours
    sample_percent: 25
release:
  size: 3
`;
const SIZE = ["tracks", "package", "size"];

describe("numbers of a protocol's text", () => {
  it("finds them in blocks and in braces, each at its own path", () => {
    const paths = [SIZE, ["kinds", "captions", "package", "size"], ["images", "quota", "per_category_target"], ["release", "size"]];
    expect(paths.map((path) => valueAt(TEXT, path))).toEqual(["100", "7", "1000", "3"]);
    for (const path of [["tracks", "package", "blind"], ["images", "size"], ["tracks", "size"], ["tracks", "package"], ["images", "quota", "minimum"]]) {
      expect(valueAt(TEXT, path)).toBeNull();
    }
    expect(valueAt("", SIZE)).toBeNull();
  });

  it("changes nothing but the value", () => {
    expect(withValue(TEXT, SIZE, "50")).toBe(TEXT.replace("size: 100  # ours", "size: 50  # ours"));
    expect(withValue(TEXT, ["images", "quota", "per_category_target"], "200")).toBe(TEXT.replace("1_000}", "200}"));
    expect(withValue(TEXT, ["tracks", "peer", "size"], "200")).toBe(TEXT);
  });

  it("adds a missing switch below another key, and changes one that is there", () => {
    const blind = ["tracks", "package", "blind"];
    const hidden = withSwitch(TEXT, blind, "size", true);
    expect(hidden).toBe(TEXT.replace("size: 100  # ours\n", "size: 100  # ours\n    blind: true\n"));
    expect(withSwitch(hidden, blind, "size", false)).toBe(hidden.replace("blind: true", "blind: false"));
    expect(withSwitch("tracks:\n  package: {size: 7}\n", blind, "size", true)).toBe("tracks:\n  package: {size: 7}\n");
  });
});
