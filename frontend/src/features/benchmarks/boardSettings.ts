/** Settings of a category board while they are typed, checked as the server does. Pure. */
import type { Localised } from "@/api/types";
import { LANGUAGES } from "@/i18n/languages";

export interface BoardField {
  code: string;
  name: Localised;
}

export interface BoardSettings {
  proposers: string;
  minimum: string;
  maximum: string;
  fields: readonly BoardField[];
}

export const DEFAULTS: BoardSettings = { proposers: "5", minimum: "5", maximum: "10", fields: [] };
export const MOST_FIELDS = 100;

export const emptyField = (): BoardField => ({ code: "", name: { "zh-Hans": "", "zh-Hant": "", en: "" } });

const isNumber = (text: string, most: number) => /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most;

export type BoardFault = "proposers" | "span" | "fields" | "name";

/** What is wrong with the settings. */
export function faultsOf({ proposers, minimum, maximum, fields }: BoardSettings): BoardFault[] {
  const faults: BoardFault[] = [];
  if (!isNumber(proposers, 1000)) faults.push("proposers");
  if (!isNumber(minimum, 100) || !isNumber(maximum, 100) || Number(minimum) > Number(maximum)) faults.push("span");
  if (fields.length === 0) faults.push("fields");
  if (fields.some((field) => LANGUAGES.some((language) => field.name[language].trim() === ""))) faults.push("name");
  return faults;
}

/** The settings as they are sent. A field that was added here has its code from its English name; each is unique. */
export function sentSettings({ proposers, minimum, maximum, fields }: BoardSettings) {
  const codes = new Set(fields.map((field) => field.code).filter((code) => code !== ""));
  const semanticFields = fields.map((field) => {
    const code = field.code === "" ? freeCode(field.name.en, codes, "field") : field.code;
    codes.add(code);
    return { code, name: field.name };
  });
  return { proposers: Number(proposers), per_field: { minimum: Number(minimum), maximum: Number(maximum) }, semantic_fields: semanticFields };
}

/** A code from an English name that no other has; `fallback` where the name has no Latin letters. */
export function freeCode(name: string, taken: ReadonlySet<string>, fallback: string): string {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^[^a-z]+|_+$/g, "");
  const code = words.slice(0, 40) || fallback;
  if (!taken.has(code)) return code;
  let number = 2;
  while (taken.has(`${code}_${String(number)}`)) number += 1;
  return `${code}_${String(number)}`;
}
