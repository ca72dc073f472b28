/** What can be chosen for runs over an item set: a list for each part of a setting. */
import type { Request } from "@/api/request";
import type { ItemSetDetail, System } from "@/api/types";
import { LANGUAGES } from "@/i18n/languages";

export const NO_PICTURE = "none";
export const PICTURES = ["1", NO_PICTURE, "4", "2", "1/2", "1/4", "1/8"] as const;
/** How many examples may come before a question: those of the papers. */
export const SHOTS = [0, 1, 3, 5] as const;
/** What a system must be capable of to answer in each way. */
const CAPABILITIES: Readonly<Record<string, string>> = { text: "generate", likelihood: "likelihood", similarity: "embed" };

export interface Grid {
  systems: readonly string[];
  settings: readonly string[];
  means: readonly string[];
  sides: readonly string[];
  languages: readonly string[];
  prompts: readonly number[];
  pictures: readonly string[];
  shots: readonly number[];
  /** The set from which examples are drawn, and the seed of their draw. */
  examples: number | null;
  seed: number;
  again: boolean;
}

/** The lists of a grid. */
export type Dimension = Exclude<keyof Grid, "examples" | "seed" | "again">;

/** What there is to choose for each list. */
export type Options = Omit<Grid, "systems" | "examples" | "seed" | "again">;

type Suite = ItemSetDetail["asks"];

/** The systems that can answer some setting of a suite in some way. */
export function ableSystems(suite: Suite, systems: readonly System[]): System[] {
  const means = new Set(suite.settings.flatMap((setting) => setting.means));
  return systems.filter((system) => system.state === "ready" && [...means].some((one) => system.capabilities.includes(CAPABILITIES[one] ?? "")));
}

/** The choices that a set offers; languages and versions are those of the prompts of the chosen settings. */
export function optionsOf(set: ItemSetDetail, grid: Grid): Options {
  const { settings } = set.asks;
  const chosen = settings.filter(({ name }) => grid.settings.includes(name));
  const applied = chosen.length > 0 ? chosen : settings.slice(0, 1);
  const versions = applied.flatMap((setting) => setting.prompts).flatMap((prompt) => prompt.versions);
  return {
    settings: settings.map(({ name }) => name),
    means: [...new Set(applied.flatMap((setting) => setting.means))],
    sides: set.sides,
    languages: LANGUAGES.filter((one) => versions.some(({ language }) => language === one)),
    prompts: [...new Set(versions.map(({ no }) => no))].sort((a, b) => a - b),
    // Without a prompt pictures are compared with texts, as they are.
    pictures: applied.some((setting) => setting.prompts.length > 0) ? PICTURES : PICTURES.slice(0, 1),
    // Examples come from another set of files, and stand where a prompt has a text for them.
    shots: set.examples.length > 0 && versions.some((version) => version.shots) ? SHOTS : [],
  };
}

/** What is chosen at first: one cell, in which everything is as usual. */
export function firstGrid(set: ItemSetDetail, systems: readonly System[]): Grid {
  return {
    systems: systems.slice(0, 1).map(({ slug }) => slug),
    settings: set.asks.settings.slice(0, 1).map(({ name }) => name),
    means: [],
    sides: set.sides.slice(0, 1),
    languages: [],
    prompts: [],
    pictures: ["1"],
    shots: [],
    examples: set.examples[0]?.id ?? null,
    seed: 0,
    again: false,
  };
}

/** A grid as the server takes it; a choice that the chosen settings do not have any more is left out. */
export function bodyOf(grid: Grid, options: Options): Request<"set_run_plan">["body"] {
  const kept = <Value>(chosen: readonly Value[], offered: readonly Value[]) => offered.filter((one) => chosen.includes(one));
  // The choices are the server's own, which describes them as texts.
  return {
    systems: [...grid.systems],
    settings: kept(grid.settings, options.settings),
    means: kept(grid.means, options.means),
    sides: kept(grid.sides, options.sides),
    languages: kept(grid.languages, options.languages),
    prompts: kept(grid.prompts, options.prompts),
    pictures: kept(grid.pictures, options.pictures),
    shots: kept(grid.shots, options.shots),
    examples: grid.examples,
    seed: grid.seed,
    again: grid.again,
  } as Request<"set_run_plan">["body"];
}
