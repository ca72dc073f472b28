/** Details that the contributor gives for pictures: which are missing, and which many have in common. Pure. */
import type { SessionTeam, UploadDetails } from "@/api/types";
import type { PictureRules, Site } from "../protocol";

export type DetailName = keyof UploadDetails;

/**
 * What keeps a picture from being added, in the order of the form. The server decides again; the page shows it
 * at once, also for files that are not sent yet.
 */
export function missingIn(details: UploadDetails, rules: PictureRules, teams: readonly SessionTeam[]): string[] {
  const { source } = details;
  const missing: string[] = [];
  if (source === undefined) missing.push("source");
  if (source === "external") {
    if (rules.sites.length > 0 && filled(details.site) === "") missing.push("site");
    if (!isWebAddress(details.url)) missing.push("url");
    if (filled(details.author) === "") missing.push("author");
  }
  if (filled(details.licence) === "") missing.push("licence");
  if (rules.hasQuota && filled(details.category) === "") missing.push("category");
  // Who is in a single team uploads for that one.
  if (teams.filter((team) => details.team == null || details.team === team.id).length !== Math.min(teams.length, 1)) missing.push("team");
  if (source === "own" || source === "donated") {
    if (rules.uses === "ask" && details.uses === undefined) missing.push("uses");
    if (rules.uses === "waive" && details.waived !== true) missing.push("waived");
  }
  if (source === "donated" && details.donor_consent !== true) missing.push("donor_consent");
  return missing;
}

const filled = (text: string | undefined) => text?.trim() ?? "";

export function isWebAddress(text: string | undefined): boolean {
  const trimmed = filled(text);
  if (!URL.canParse(trimmed)) return false;
  return ["http:", "https:"].includes(new URL(trimmed).protocol);
}

/** The site that the address belongs to. */
export function siteOf(url: string | undefined, sites: readonly Site[]): Site | undefined {
  if (!isWebAddress(url)) return undefined;
  const { hostname } = new URL(filled(url));
  return sites.find((site) => site.hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)));
}

/** A value that all share, "various" where they differ, undefined where no one has one. */
interface Common<Value> {
  value: Value | undefined;
  various: boolean;
}

export function common<Name extends DetailName>(all: readonly UploadDetails[], name: Name): Common<UploadDetails[Name]> {
  const [first, ...others] = all;
  const value = first?.[name];
  const text = JSON.stringify(value);
  const various = others.some((one) => JSON.stringify(one[name]) !== text);
  return various ? { value: undefined, various } : { value, various };
}

/** Details after some were set. Of dimensions only the named ones change; "" removes a value. */
export function withDetails(details: UploadDetails, set: UploadDetails): UploadDetails {
  return { ...details, ...set, ...(set.axes && { axes: { ...details.axes, ...set.axes } }) };
}

/** What is sent to the server: only what was touched, with texts trimmed. */
export function changes(touched: UploadDetails): UploadDetails {
  const sent: UploadDetails = { ...touched };
  for (const name of ["url", "author"] as const) {
    if (sent[name] !== undefined) sent[name] = sent[name].trim();
  }
  return sent;
}

/** How many cards lack each detail, the most frequent first; the form lists them. */
export function missingCounts(lists: readonly (readonly string[])[]): [name: string, count: number][] {
  const counts = new Map<string, number>();
  for (const name of lists.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}
