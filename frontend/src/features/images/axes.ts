/** Values of further dimensions in an address: `grade:high difficulty:hard`. Pure. */
import type { Axis } from "@/api/types";

export function chosenIn(text: string | undefined): Record<string, string> {
  const pairs = (text ?? "").split(" ").map((one) => one.split(":"));
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair.length === 2 && pair.every((part) => part !== "")));
}

export function chosenText(chosen: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(chosen).filter(([, value]) => value !== "");
  return pairs.map(([code, value]) => `${code}:${value}`).join(" ");
}

/** Only values that the benchmark's dimensions have, for an address that was typed; undefined without any. */
export function knownText(text: string | undefined, axes: readonly Axis[]): string | undefined {
  const known = Object.entries(chosenIn(text)).filter(([code, slug]) => axes.some((axis) => axis.code === code && axis.values.some((value) => value.slug === slug)));
  return chosenText(Object.fromEntries(known)) || undefined;
}
