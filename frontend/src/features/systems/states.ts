/** States of systems: tones, order of groups, polling. */
import type { System } from "@/api/types";
import type { Tone } from "@/ui/Chip";

export type State = System["state"];

export const STATES: readonly State[] = ["ready", "fetching", "failed", "not_fetched", "no_backend"];

export const TONES: Readonly<Record<State, Tone | undefined>> = {
  ready: "good",
  fetching: undefined,
  failed: "bad",
  not_fetched: undefined,
  no_backend: undefined,
};

const GROUPS: readonly string[] = ["demo", "dual_encoder", "vision_language", "hosted"];

/** Built-in groups have translated names; others show the name in their record. */
export const isKnownGroup = (group: string): boolean => GROUPS.includes(group);

/** Systems by group: built-in groups in their order, then others, then systems without a group. */
export function grouped<Row extends { group: string }>(rows: readonly Row[]): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  const place = (group: string) => (group === "" ? GROUPS.length + 1 : isKnownGroup(group) ? GROUPS.indexOf(group) : GROUPS.length);
  return [...groups].sort(([a], [b]) => place(a) - place(b) || a.localeCompare(b));
}

/** The translation key of a state: models on servers are checked, not fetched. */
export const stateKey = ({ state, server }: Pick<System, "state" | "server">): string =>
  server !== "" && (state === "fetching" || state === "failed") ? `serve.state.${state}` : `state.${state}`;

/** Polls every 1.5 seconds while a system is being fetched. */
export const pollAfter = (rows: readonly { state: State }[]): number | false => (rows.some((row) => row.state === "fetching") ? 1_500 : false);

/** A full commit: the only kind of revision whose code may be allowed. */
export const isCommit = (revision: string): boolean => /^[0-9a-f]{40}$/.test(revision);

/** Shortens a commit to its first characters. */
export const short = (revision: string): string => (isCommit(revision) ? revision.slice(0, 10) : revision);

/** A fetch counts in KiB. */
export const KIB = 1024;
