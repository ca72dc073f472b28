import { describe, expect, it } from "vitest";
import { fitView, hold, outgrows, panBy, reframe, toFrame, toPicture, visible, zoomAt, shareOf, viewOf } from "./viewport";

const picture = { width: 2000, height: 1000 };
const frame = { width: 800, height: 600 };

describe("fitView", () => {
  it("shows the whole picture in the middle", () => {
    const view = fitView(picture, frame);
    expect(view).toEqual({ scale: 0.4, centre: { x: 1000, y: 500 } });
    expect(visible(view, frame)).toEqual({ x: 0, y: -250, width: 2000, height: 1500 });
  });

  it("does not blow a small picture up", () => {
    expect(fitView({ width: 100, height: 50 }, frame).scale).toBe(1);
  });
});

describe("zoomAt", () => {
  it("keeps the point under the pointer where it is", () => {
    const at = { x: 300, y: 320 };
    const before = fitView(picture, frame);
    const held = toPicture(at, before, frame);
    const after = zoomAt(before, 4, at, picture, frame);
    const shown = toFrame(held, after, frame);
    expect(after.scale).toBeCloseTo(1.6);
    expect(shown.x).toBeCloseTo(at.x);
    expect(shown.y).toBeCloseTo(at.y);
  });

  it("stops at the whole picture and at eight frame pixels for one", () => {
    const view = fitView(picture, frame);
    expect(zoomAt(view, 0.1, { x: 0, y: 0 }, picture, frame)).toEqual(view);
    expect(zoomAt(view, 1000, { x: 0, y: 0 }, picture, frame).scale).toBe(8);
  });
});

describe("panBy and hold", () => {
  it("moves the picture with the pointer and never off the frame", () => {
    const view = { scale: 1, centre: { x: 1000, y: 500 } };
    expect(panBy(view, { x: 50, y: 10 }, picture, frame).centre).toEqual({ x: 950, y: 490 });
    expect(panBy(view, { x: 5000, y: 0 }, picture, frame).centre.x).toBe(400);
    expect(panBy(view, { x: -5000, y: 0 }, picture, frame).centre.x).toBe(1600);
  });

  it("centres a side that fits", () => {
    expect(hold({ scale: 0.5, centre: { x: 0, y: 0 } }, picture, frame).centre).toEqual({ x: 800, y: 500 });
  });
});

describe("toPicture", () => {
  it("is the inverse of toFrame", () => {
    const view = { scale: 2.5, centre: { x: 700, y: 333 } };
    const point = { x: 123.25, y: 456.5 };
    const back = toPicture(toFrame(point, view, frame), view, frame);
    expect(back.x).toBeCloseTo(point.x, 9);
    expect(back.y).toBeCloseTo(point.y, 9);
  });
});

describe("reframe", () => {
  it("fits again what was fitted and keeps a close look", () => {
    const larger = { width: 1600, height: 1200 };
    expect(reframe(fitView(picture, frame), picture, frame, larger)).toEqual(fitView(picture, larger));
    const close = { scale: 3, centre: { x: 600, y: 400 } };
    expect(reframe(close, picture, frame, larger)).toEqual(close);
  });
});

describe("outgrows", () => {
  it("asks for the clean rendition when a rendition pixel would be larger than a screen pixel", () => {
    const view = { scale: 0.5, centre: { x: 0, y: 0 } };
    expect(outgrows(view, picture, 1600, 1)).toBe(false);
    expect(outgrows(view, picture, 1600, 2)).toBe(true);
  });
});

describe("a shared view", () => {
  const large = { width: 2000, height: 1000 };
  const small = { width: 1000, height: 500 };
  const left = { width: 400, height: 400 };
  const right = { width: 300, height: 400 };

  it("shows the same part of two sizes of one picture, as wide in its own frame", () => {
    const view = { scale: 0.6, centre: { x: 1500, y: 250 } };
    const share = shareOf(view, large, left);
    expect(share).toEqual({ widths: 3, x: 0.75, y: 0.25 });
    expect(viewOf(share, large, left)).toEqual(view);
    expect(viewOf(share, small, right)).toEqual({ scale: 0.9, centre: { x: 750, y: 125 } });
  });

  it("begins with the whole picture, a small one as wide as a large one", () => {
    expect(viewOf(null, large, left).scale).toBe(0.2);
    expect(viewOf(null, { width: 100, height: 50 }, left)).toEqual({ scale: 4, centre: { x: 50, y: 25 } });
  });
});
