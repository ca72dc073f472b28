import { describe, expect, it } from "vitest";
import { safeAddress } from "./address";

describe("safeAddress", () => {
  it.each([
    ["https://example.org/图", "https://example.org/%E5%9B%BE"],
    ["mailto:team@example.org", "mailto:team@example.org"],
    ["java\nscript:alert(1)", null],
    [" javascript:alert(1)", null],
    ["data:text/html;base64,PHNjcmlwdD4=", null],
    ["//example.org", null],
    ["/b/demo", null],
  ])("reads %j as %j", (written, address) => {
    expect(safeAddress(written)).toBe(address);
  });
});
