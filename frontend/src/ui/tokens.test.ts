import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync("src/ui/tokens.css", "utf8");
const [light = "", dark = ""] = css.split('[data-theme="dark"]');

function token(theme: string, name: string): string {
  const value = new RegExp(`--${name}:\\s*(#[0-9a-f]{6})`).exec(theme)?.[1];
  if (value === undefined) throw new Error(`no colour --${name}`);
  return value;
}

/** Relative luminance, WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe.each([
  ["light", light],
  ["dark", dark],
] as const)("%s theme", (_, theme) => {
  it.each([
    ["ink", "paper"],
    ["ink-2", "ground"],
    ["ink-2", "hover"],
    ["ink-3", "paper"],
    ["ink-3", "ground"],
    ["ink-3", "raised"],
    ["accent", "paper"],
    ["accent", "ground"],
    ["accent", "accent-soft"],
    ["on-accent", "accent"],
    ["on-accent", "accent-strong"],
    ["good", "good-soft"],
    ["good", "paper"],
    ["warn", "warn-soft"],
    ["bad", "bad-soft"],
    ["bad", "paper"],
    ["on-stage", "stage"],
  ])("text in %s is readable on %s", (ink, paper) => {
    expect(contrast(token(theme, ink), token(theme, paper))).toBeGreaterThanOrEqual(4.5);
  });
});
