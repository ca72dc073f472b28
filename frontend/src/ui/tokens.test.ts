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

/** What people with each colour blindness see: linear RGB, from Machado, Oliveira and Fernandes 2009, severity 1. */
const EYES = {
  all: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.042940, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

/** CIELAB of a colour as eyes with this matrix see it. */
function lab(hex: string, eyes: readonly number[]): number[] {
  const linear = [1, 3, 5].map((at) => {
    const channel = parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  const row = (matrix: readonly number[], at: number, values: readonly number[]) => [0, 1, 2].reduce((sum, i) => sum + (matrix[at * 3 + i] ?? 0) * (values[i] ?? 0), 0);
  const seen = [0, 1, 2].map((at) => Math.min(1, Math.max(0, row(eyes, at, linear))));
  const toXyz = [0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505];
  const [x = 0, y = 0, z = 0] = [0.95047, 1, 1.08883].map((white, at) => {
    const part = row(toXyz, at, seen) / white;
    return part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const distance = (a: string, b: string, eyes: readonly number[]) => {
  const other = lab(b, eyes);
  return Math.hypot(...lab(a, eyes).map((value, at) => value - (other[at] ?? 0)));
};

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
    ["value", "paper"],
    ["progress", "paper"],
    ["brand", "paper"],
  ])("text in %s is readable on %s", (ink, paper) => {
    expect(contrast(token(theme, ink), token(theme, paper))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(Object.entries(EYES))("tells choice, progress, value and danger apart for %s eyes", (_, eyes) => {
    const meanings = ["accent", "progress", "value", "bad"];
    const close = meanings.flatMap((one, at) => meanings.slice(at + 1).filter((other) => distance(token(theme, one), token(theme, other), eyes) < 12).map((other) => `${one} ${other}`));
    expect(close).toEqual([]);
  });
});
