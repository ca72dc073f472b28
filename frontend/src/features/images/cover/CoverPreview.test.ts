import { describe, expect, it } from "vitest";
import { grownBox, meanColour } from "./CoverPreview";

describe("grownBox", () => {
  const picture = { width: 500, height: 300 };

  it("grows by 15 % on each side, outward to multiples of 16", () => {
    expect(grownBox([100, 100, 60, 80], picture)).toEqual([80, 80, 96, 112]);
  });

  it("ends where the picture ends", () => {
    expect(grownBox([480, 290, 20, 10], picture)).toEqual([464, 288, 36, 12]);
    expect(grownBox([0, 0, 10, 10], picture)).toEqual([0, 0, 16, 16]);
  });
});

describe("meanColour", () => {
  it("is the mean of the pixels that nothing covers", () => {
    expect(meanColour([10, 20, 30, 255, 20, 40, 31, 255, 200, 200, 200, 0])).toBe("rgb(15 30 31)");
  });

  it("is grey where everything is covered", () => {
    expect(meanColour([9, 9, 9, 0])).toBe("rgb(128 128 128)");
  });
});
