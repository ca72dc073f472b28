/**
 * Operations of the package track whose views are on their way: the agreed shapes, added to the server's own
 * description so that pages are written against one table. An entry leaves as soon as schema.d.ts has it.
 */
import type { components } from "./schema";

type Schemas = components["schemas"];
type Package = Schemas["PackageRow"];
type Named = Schemas["LocalisedText"];

interface Answering<Body> {
  200: { headers: Record<string, unknown>; content: { "application/json": Body } };
}
interface Reads<Body, Query = never> {
  parameters: { query?: Query };
  requestBody?: never;
  responses: Answering<Body>;
}
interface Writes<Body, Input> {
  parameters: { query?: never };
  requestBody: { content: { "application/json": Input } };
  responses: Answering<Body>;
}

/** Why an annotator left an item unwritten. */
export interface SkipNote {
  reasons: string[];
  comment: string;
  at: string;
}

export interface CategoryCount {
  slug: string | null;
  name: Named | null;
  n: number;
}

export interface PreviewBody {
  waiting: number;
  chosen: number;
  left_over: number;
  size: number;
  seed: number;
  total: number;
  packages: { number: number; items: number; categories: CategoryCount[] }[];
  categories: CategoryCount[];
  inspection: { size: number; errors_allowed: number; pass_chances: Schemas["PassChance"][] };
  warnings: { code: string; params: Record<string, unknown> }[];
}

export interface BuildRule {
  kind: string;
  size?: number;
  seed?: number;
  mix?: "shuffled" | "spread" | "single";
  categories?: string[];
  maximum?: number;
  assignees?: number[];
  complete_only: boolean;
}

interface Move {
  revision: number;
  client_key: string;
}

export interface ItemRow {
  id: number;
  label: string;
  kind: string;
  state: Schemas["ItemState"];
  revision_no: number;
  slot: number;
  image: { id: number; label: string; thumb_url: string; category: { slug: string; name: Named } | null };
  package: { id: number; label: string } | null;
  first_text: string | null;
}

export interface ItemPage {
  results: ItemRow[];
  next: string | null;
  total: number | null;
  total_is_capped: boolean;
  counts: Record<string, number>;
}

export interface PoolItem extends Omit<Schemas["SheetItem"], "author"> {
  author: Schemas["PersonBrief"] | null;
  seat: number;
  lease_until: string;
  package_label: string;
  round: number;
}

export interface PoolBody {
  purpose: "review" | "inspection";
  kind: string;
  free: number;
  held: number;
  done: number;
  mine: number;
  held_maximum: number;
  people: number;
  rules: Schemas["CaptionRules"];
  lease_seconds: number;
  heartbeat_seconds: number;
  items: PoolItem[];
}

export interface IntervalBody {
  method: string;
  low: number;
  high: number;
}

export interface BoardBody {
  stall_days: number;
  kinds: {
    kind: string;
    items: Record<string, number>;
    packages: Record<string, { n: number; oldest_at: string | null; stalled: number }>;
    accepted: number;
    target: number | null;
  }[];
  pictures: {
    accepted: number;
    minimum: number | null;
    categories: { slug: string; name: Named; n: number; minimum: number | null; target: number | null }[];
  };
  seats: { purpose: "review" | "inspection"; kind: string; free: number; held: number; done: number }[];
}

export interface QualityBody {
  blind: boolean;
  people: {
    person: Schemas["PersonBrief"] | null;
    mine: boolean;
    kind: string;
    written: number;
    handed_in: number;
    judged: number;
    accepted_first: number;
    rate: number | null;
    interval: IntervalBody | null;
    median_active_ms: number | null;
    returned_reasons: { code: string; n: number }[];
  }[];
  judges: {
    person: Schemas["PersonBrief"] | null;
    mine: boolean;
    kind: string;
    stage: string;
    judged: number;
    checked: number;
    upheld: number;
    rate: number | null;
    interval: IntervalBody | null;
  }[];
  agreement: {
    kind: string;
    between: string;
    items: number;
    observed: number | null;
    measures: { name: string; value: number | null; low: number | null; high: number | null; method: string }[];
  }[];
  packages: { id: number; label: string; right: number; n: number; rate: number }[];
}

declare module "./schema" {
  interface operations {
    package_preview: Writes<PreviewBody, BuildRule>;
    package_assign: Writes<Package, Move & { person: number }>;
    package_take_back: Writes<Package, Move & { comment?: string }>;
    package_withdraw: Writes<Package, Move>;
    item_list: Reads<
      ItemPage,
      { kind?: string; state?: string; category?: string; author?: number; cursor?: string; page_size?: number }
    >;
    item_import: Writes<
      { made: number; existing: number },
      { kind: string; rows: { image: string | number; slot?: number }[]; client_key: string }
    >;
    item_skip_decide: Writes<
      Schemas["SheetItem"] | { item_id: number; state: Schemas["ItemState"] },
      { agree: boolean; reasons: string[]; comment: string; client_key: string }
    >;
    pool_show: Reads<PoolBody, { kind: string }>;
    pool_claim: Writes<PoolBody, { kind: string; count: number }>;
    pool_renew: Writes<{ kept: { seat: number; lease_until: string }[]; lost: number[] }, { seats: number[] }>;
    pool_release: Writes<PoolBody, { seats: number[] }>;
    board_show: Reads<BoardBody>;
    quality_show: Reads<QualityBody, { kind?: string }>;
  }
}
