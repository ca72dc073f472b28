/** Numbers, sizes and times as the reader's language and zone write them. */
import { useMemo } from "react";
import type { Language } from "./languages";
import { useInterfaceLanguage } from "./localised";
import { joinSpaced } from "./spacing";

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** Intl joins without the blanks that the texts have between digits and Chinese. */
const join = (parts: readonly { value: string }[]): string => joinSpaced(parts.map(({ value }) => value));

export function relativeTime(iso: string, now: number, language: Language): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return join(format.formatToParts(Math.trunc(seconds / length), unit));
  }
  return format.format(0, "second");
}

/** Decimal units: 1 KB is 1,000 bytes. */
export function byteSize(bytes: number, language: Language): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
  let value = bytes;
  let at = 0;
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000;
    at += 1;
  }
  const digits = at === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const format = new Intl.NumberFormat(language, {
    style: "unit",
    unit: units[at] ?? "byte",
    unitDisplay: at === 0 ? "long" : "short",
    maximumFractionDigits: digits,
  });
  return join(format.formatToParts(value));
}

/** A stretch of time in its two largest units: hours and minutes, minutes and seconds, or seconds. */
export function duration(ms: number, language: Language): string {
  const seconds = Math.round(ms / 1000);
  const parts: readonly ["hour" | "minute" | "second", number][] =
    seconds >= 3600
      ? [
          ["hour", Math.floor(seconds / 3600)],
          ["minute", Math.floor((seconds % 3600) / 60)],
        ]
      : seconds >= 60
        ? [
            ["minute", Math.floor(seconds / 60)],
            ["second", seconds % 60],
          ]
        : [["second", seconds]];
  const written = parts
    .filter(([, value], index) => value > 0 || index === 0)
    .map(([unit, value]) => join(new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).formatToParts(value)));
  return written.join(" ");
}

export function useFormat() {
  const language = useInterfaceLanguage();
  return useMemo(
    () => ({
      number: (value: number, digits = 0, least = 0) =>
        new Intl.NumberFormat(language, { maximumFractionDigits: digits, minimumFractionDigits: least }).format(value),
      /** A share between 0 and 1. Figures that stand below one another show as many digits each: `least` as `digits`. */
      percent: (share: number, digits = 1, least = 0) =>
        new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: digits, minimumFractionDigits: least }).format(share),
      duration: (ms: number) => duration(ms, language),
      bytes: (value: number) => byteSize(value, language),
      relative: (iso: string) => relativeTime(iso, Date.now(), language),
      exact: (iso: string) =>
        new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso)),
      time: (iso: string) => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(new Date(iso)),
      day: (date: Date) => new Intl.DateTimeFormat(language, { weekday: "short" }).format(date),
      /** Sentences after one another: Chinese full stops need no blank after them. */
      sentences: (parts: readonly string[]) => parts.filter((part) => part !== "").join(language === "en" ? " " : ""),
      list: (parts: readonly string[]) => join(new Intl.ListFormat(language, { type: "conjunction" }).formatToParts(parts)),
    }),
    [language],
  );
}
