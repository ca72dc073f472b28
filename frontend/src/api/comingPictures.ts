/**
 * Operations on pictures that the server is about to describe, in the shape of schema.d.ts. Unlike coming.ts these
 * win over the description, for some of them change what is there.
 */
import type { components } from "./schema";

type Schemas = components["schemas"];
type PersonRef = Schemas["PersonBrief"];
type CategoryRef = Schemas["ImageCategory"];

interface Op<Answer, Body = never, Query = never> {
  parameters: { query?: Query; header?: never; path?: never; cookie?: never };
  requestBody: [Body] extends [never] ? undefined : { content: { "application/json": Body } };
  responses: { 200: { content: { "application/json": Answer } } };
}

interface Paged<Row> {
  results: Row[];
  next: string | null;
  total: number | null;
  total_is_capped: boolean;
}

/** An error inside an answer about many: the same three parts as an answer that is one error. */
export interface RowError {
  code: string;
  params: Record<string, unknown>;
  detail: string;
}

export type SourceKind = "own" | "donated" | "external";

/** What the contributor says about a picture; a key is missing while nobody said it. */
export interface UploadDetails {
  source?: SourceKind;
  site?: string;
  url?: string;
  author?: string;
  licence?: string;
  category?: string;
  uses?: { research: boolean; commercial: boolean };
  waived?: boolean;
  donor_consent?: boolean;
}

export interface UploadCheck {
  code: string;
  state: "waiting" | "passed" | "flagged" | "refused";
  params: Record<string, unknown>;
}

export interface NearThumb {
  id: number;
  label: string;
  distance: number;
  thumb_url: string;
}

export interface UploadRow {
  id: string;
  filename: string;
  bytes: number;
  received: number;
  kind: "picture" | "zip";
  parent: string | null;
  state: "receiving" | "checking" | "ready" | "refused" | "taken" | "dropped" | "failed";
  checks: UploadCheck[];
  error: { code: string; params: Record<string, unknown> } | null;
  details: UploadDetails;
  missing: string[];
  width: number | null;
  height: number | null;
  thumb_url: string | null;
  near: NearThumb[];
  image: { id: number; label: string } | null;
  expires_at: string;
}

export interface ImageObjects {
  all: number;
  listed: number;
  main: number | null;
}

export interface ImageRow {
  id: number;
  number: number;
  label: string;
  state: "received" | "accepted" | "refused" | "withdrawn";
  width: number;
  height: number;
  sha256: string;
  thumb_url: string;
  view_url: string;
  clean_url: string;
  category: CategoryRef | null;
  collected_for: CategoryRef | null;
  subset: string;
  objects: ImageObjects | null;
  source: {
    kind: SourceKind;
    site: string;
    url: string;
    author: string;
    uses: { research: boolean; commercial: boolean } | null;
    waived: boolean;
    donor_consent: boolean;
  };
  licence: string;
  contributor: PersonRef;
  personal_information_clear: boolean;
  flags: { code: string; params: Record<string, unknown> }[];
  near: { id: number; label: string; distance: number }[];
  verdict_no: number;
  created_at: string;
  available_actions: string[];
}

export interface NearTwin extends NearThumb {
  view_url: string;
  clean_url: string;
  width: number;
  height: number;
  state: ImageRow["state"];
  contributor: PersonRef;
}

export interface ImageTakedown {
  restored: boolean;
  by: PersonRef;
  reason: string;
  comment: string;
  at: string;
}

export interface ImageDetail extends Omit<ImageRow, "near"> {
  near: NearTwin[];
  takedowns: ImageTakedown[];
  original_kept: boolean;
  verdicts: {
    id: number;
    judge: PersonRef;
    outcome: "accepted" | "refused";
    reasons: string[];
    details: Record<string, unknown>;
    created_at: string;
  }[];
  renditions: Schemas["ImageAnswer"]["renditions"];
}

export interface ImageCounts {
  received: number;
  accepted: number;
  refused: number;
  withdrawn: number;
  clear: number;
  to_judge: number;
  by_category: { slug: string; accepted: number; received: number; minimum: number | null; target: number | null }[];
  by_subset: { subset: string; accepted: number }[];
}

export interface Held {
  images: ImageRow[];
  until: string | null;
  held_by_others: number;
  others_until: string | null;
}

export interface VerdictInput {
  image: number;
  no: number;
  outcome: "accepted" | "refused";
  reasons: string[];
  subset?: string;
  category?: string;
  objects?: ImageObjects;
  client_key: string;
}

export interface JudgedRow {
  image_id: number;
  image: ImageRow | null;
  error: RowError | null;
}

export interface ComingPictures {
  upload_create: Op<null>;
  upload_drop: Op<null>;
  upload_list: Op<Paged<UploadRow> & { worker_alive: boolean; waiting: number }, never, { state?: string; ids?: string; cursor?: string; page_size?: number }>;
  upload_describe: Op<UploadRow[], { ids: string[]; details: UploadDetails }>;
  upload_take: Op<
    { results: { id: string; image: { id: number; label: string } | null; error: RowError | null }[] },
    { ids: string[]; client_key: string }
  >;
  image_list: Op<
    Paged<ImageRow>,
    never,
    {
      state?: string;
      category?: string;
      subset?: string;
      clear?: boolean;
      flag?: string;
      search?: string;
      cursor?: string;
      page_size?: number;
    }
  >;
  image_counts: Op<ImageCounts>;
  image_hold: Op<Held, { size: number; category?: string }>;
  image_hold_renew: Op<{ until: string | null }, Record<string, never>>;
  image_hold_release: Op<unknown, Record<string, never>>;
  image_judge: Op<{ results: JudgedRow[] }, { verdicts: VerdictInput[] }>;
  image_clear: Op<{ results: JudgedRow[] }, { images: { image: number; client_key: string }[] }>;
  image_show: Op<ImageDetail>;
  image_take_down: Op<ImageDetail, { reason: string; comment: string; client_key: string }>;
  image_restore: Op<ImageDetail, { reason: string; comment: string; client_key: string }>;
  image_items: Op<{ id: number; label: string; kind: string; state: string; package: { id: number; label: string } | null }[]>;
  image_releases: Op<{ id: number; label: string; state: string; split: string; frozen_at: string | null }[]>;
}
