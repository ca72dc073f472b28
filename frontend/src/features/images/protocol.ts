/** The protocol's settings for pictures, typed. */
import { inProtocol, reasonsIn } from "@/api/benchmark";
import type { Localised, Reason, SourceKind } from "@/api/types";

export interface Site extends Reason {
  hosts: string[];
  licences: string[];
}

export interface Bounds {
  minimum?: number | null;
  maximum?: number | null;
}

export const COUNTS = ["all", "listed", "categories", "main"] as const;
/** The counts an inspector makes: objects in all, of listed categories, how many categories, of the main category. */
export type CountName = (typeof COUNTS)[number];

export interface Subset extends Reason {
  rule: Localised;
  objects: Partial<Record<CountName, Bounds | null>> | null;
}

/** The counts that a subset asks for; how many categories there are is counted only where its rule is about it. */
export function countsFor(subset: Subset | undefined): CountName[] {
  return COUNTS.filter((count) => count !== "categories" || subset?.objects?.categories != null);
}

export interface PictureRules {
  sources: SourceKind[];
  /** Empty: any address will do. */
  sites: Site[];
  licences: Reason[];
  /** What donors are asked about each of their pictures. */
  uses: "ask" | "waive" | "none";
  formats: string[];
  bytesMaximum: number | null;
  refusalReasons: Reason[];
  withdrawalReasons: Reason[];
  /** Whether categories have a number to reach, so that each picture has to say its own. */
  hasQuota: boolean;
  subsets: Subset[];
}

const SOURCES: readonly SourceKind[] = ["own", "donated", "external"];

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

export function pictureRules(content: unknown): PictureRules {
  const sources = strings(inProtocol(content, "images", "sources"));
  const uses = inProtocol(content, "consent", "donors", "uses");
  const bytes = inProtocol(content, "images", "bytes", "maximum");
  return {
    sources: sources.length > 0 ? SOURCES.filter((one) => sources.includes(one)) : ["own", "external"],
    sites: reasonsIn(content, "images", "sites").map((site) => ({
      ...site,
      hosts: strings((site as Partial<Site>).hosts),
      licences: strings((site as Partial<Site>).licences),
    })),
    licences: reasonsIn(content, "images", "licences"),
    uses: uses === "ask" || uses === "waive" ? uses : "none",
    formats: strings(inProtocol(content, "images", "formats")),
    bytesMaximum: typeof bytes === "number" ? bytes : null,
    refusalReasons: reasonsIn(content, "images", "refusal_reasons"),
    withdrawalReasons: reasonsIn(content, "images", "takedown_reasons"),
    hasQuota: inProtocol(content, "images", "quota") != null,
    subsets: reasonsIn(content, "images", "subsets") as Subset[],
  };
}
