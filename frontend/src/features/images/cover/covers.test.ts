import { describe, expect, it } from "vitest";
import type { CoverDetail } from "@/api/types";
import { afterDrawing, confirmed, exempted, hasCovered, isFilledAnyway, openCovers, proposedCovers, regionsToSend, type Cover } from "./covers";

const found = (key: string, what: string, box: number[]) => ({ key, what, box, score: 0.9 });
const detail = {
  style: "pixelate",
  open: ["faces-0", "text-0"],
  proposals: [
    { detector: "centerface-1", at: "", regions: [found("faces-0", "face", [10.123, 20, 60, 80]), found("faces-1", "face", [0, 0, 9, 9])] },
    { detector: "pp-ocr-6", at: "", regions: [found("text-0", "plate", [5, 5, 100, 60])] },
  ],
} as unknown as CoverDetail;

describe("covers", () => {
  it("begin with what was found and not decided, in the protocol's style", () => {
    expect(proposedCovers(detail)).toEqual([
      { key: "faces-0", box: [10.12, 20, 60, 80], what: "face", style: "pixelate", status: "open", reason: "", origin: "proposed" },
      { key: "text-0", box: [5, 5, 100, 60], what: "plate", style: "pixelate", status: "open", reason: "", origin: "proposed" },
    ]);
  });

  it("are confirmed, exempted and removed; everything found is sent with its decision", () => {
    const covers = exempted(confirmed(proposedCovers(detail), new Set(["faces-0"])), "text-0", "public_notice");
    expect(hasCovered(covers)).toBe(true);
    expect(openCovers(covers)).toEqual([]);
    expect(regionsToSend(detail, covers)).toEqual([
      { key: "faces-0", box: [10.12, 20, 60, 80], what: "face", how: "pixelate", reason: "", origin: "proposed" },
      { key: "text-0", box: [5, 5, 100, 60], what: "plate", how: "exempt", reason: "public_notice", origin: "proposed" },
    ]);
    expect(regionsToSend(detail, covers.slice(0, 1))[1]).toEqual({ key: "text-0", box: [5, 5, 100, 60], what: "plate", how: "exempt", reason: "not_there", origin: "proposed" });
  });

  it("are confirmed by moving them", () => {
    const before = proposedCovers(detail);
    const [face, plate] = before as [Cover, Cover];
    const after = afterDrawing(before, [{ ...face, box: [11, 20, 60, 80] }, plate]);
    expect(after.map(({ status }) => status)).toEqual(["covered", "open"]);
    expect(afterDrawing(before, before)).toBe(before);
  });

  it("of text, plates, addresses and names are filled, and small ones", () => {
    expect(isFilledAnyway({ what: "face", box: [0, 0, 48, 90] })).toBe(false);
    expect(isFilledAnyway({ what: "face", box: [0, 0, 90, 47.9] })).toBe(true);
    for (const what of ["text", "plate", "address", "name"] as const) expect(isFilledAnyway({ what, box: [0, 0, 300, 300] })).toBe(true);
  });
});
