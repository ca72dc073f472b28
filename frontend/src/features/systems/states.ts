/** Where systems stand: tones, order of groups, what is asked again and how often. */
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

/** The groups that ship have texts of their own; any other is called by the name its record gives. */
export const isKnownGroup = (group: string): boolean => GROUPS.includes(group);

/** Systems by group: those that ship in their order, others behind them, those without any last. */
export function grouped<Row extends { group: string }>(rows: readonly Row[]): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  const place = (group: string) => (group === "" ? GROUPS.length + 1 : isKnownGroup(group) ? GROUPS.indexOf(group) : GROUPS.length);
  return [...groups].sort(([a], [b]) => place(a) - place(b) || a.localeCompare(b));
}

/** The key of a state's name: what is on a server is asked, not fetched. */
export const stateKey = ({ state, server }: Pick<System, "state" | "server">): string =>
  server !== "" && (state === "fetching" || state === "failed") ? `serve.state.${state}` : `state.${state}`;

/** While something is on its way it is asked again each second and a half. */
export const pollAfter = (rows: readonly { state: State }[]): number | false => (rows.some((row) => row.state === "fetching") ? 1_500 : false);

/** A full commit: the only kind of revision whose code may be allowed. */
export const isCommit = (revision: string): boolean => /^[0-9a-f]{40}$/.test(revision);

/** A commit is known by its beginning. */
export const short = (revision: string): string => (isCommit(revision) ? revision.slice(0, 10) : revision);

/** A fetch counts in KiB. */
export const KIB = 1024;
