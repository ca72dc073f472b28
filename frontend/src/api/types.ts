/**
 * Names for what the server sends and takes, as the HTTP contract writes them.
 */

export type Language = "zh-Hans" | "zh-Hant" | "en";
export type Localised = Record<Language, string>;
export type Role = "owner" | "admin" | "curator" | "annotator" | "senior" | "inspector" | "viewer";

export interface PersonRef {
  id: number;
  name: string;
}

export interface Page<Row> {
  results: Row[];
  next: string | null;
  /** Null where the server does not count. */
  total: number | null;
  total_is_capped: boolean;
}

export interface Session {
  person: { id: number; username: string; name: string; language: Language };
  is_owner: boolean;
  benchmarks: SessionBenchmark[];
  build: string;
}

export interface SessionBenchmark {
  slug: string;
  title: Localised;
  roles: string[];
  operations: string[];
  kinds: string[];
}

export interface DemoLogIn {
  username: string;
  password: string;
  role: string;
}

export interface Preset {
  name: string;
  title: Localised;
  summary: Localised;
}

export interface BenchmarkSummary {
  slug: string;
  title: Localised;
  roles: string[];
  counts: {
    images: number;
    accepted_images: number;
    items: number;
    accepted_items: number;
    packages: number;
    releases: number;
  };
}

export interface Category {
  id: number;
  slug: string;
  name: Localised;
  field: { slug: string; name: Localised };
  group: string | null;
}

export interface Benchmark {
  slug: string;
  title: Localised;
  zone: string;
  state: string;
  roles: string[];
  operations: string[];
  protocol: { version: number; name: string; content: ProtocolContent; planned: string[] };
  categories: Category[];
}

/** A reason a person can choose, worded in the protocol itself. */
export interface Reason {
  code: string;
  name: Localised;
}

/** The validated protocol file. Only what pages read is named; the rest is shown as it stands. */
export type ProtocolContent = Record<string, unknown>;

export interface Person {
  id: number;
  username: string;
  name: string;
  roles: string[];
  last_seen: string | null;
}

export interface Flag {
  code: string;
  params: Record<string, unknown>;
}

export interface Image {
  id: number;
  number: number;
  label: string;
  state: "received" | "accepted" | "refused";
  width: number;
  height: number;
  sha256: string;
  thumb_url: string;
  view_url: string;
  clean_url: string;
  category: { slug: string; name: Localised } | null;
  subset: string | null;
  source: { kind: string; url: string; author: string };
  licence: string;
  contributor: PersonRef;
  personal_information_clear: boolean;
  flags: Flag[];
  near: { id: number; label: string; distance: number }[];
  created_at: string;
  available_actions: string[];
}

export interface ImageVerdict {
  id: number;
  judge: PersonRef;
  outcome: "accepted" | "refused";
  reasons: string[];
  created_at: string;
}

export interface Rendition {
  id: number;
  role: "clean" | "view" | "thumb";
  version: number;
  sha256: string;
  bytes: number;
  width: number;
  height: number;
  url: string;
}

export interface ImageDetail extends Image {
  verdicts: ImageVerdict[];
  renditions: Rendition[];
}

export interface ImageCounts {
  received: number;
  accepted: number;
  refused: number;
  personal_information_clear: number;
}

export interface Package {
  id: number;
  number: number;
  label: string;
  kind: string;
  state: "available" | "working" | "handed_over" | "reviewing" | "inspecting" | "returned" | "passed" | "withdrawn";
  round: number;
  revision: number;
  size: number;
  written: number;
  checked: number;
  assignee: PersonRef | null;
  reviewer: PersonRef | null;
  state_changed_at: string;
  available_actions: string[];
}

/** A stretch of a field in UTF-16 code units, as a textarea counts them. */
export interface Span {
  field: string;
  start: number;
  end: number;
}

export interface Finding {
  code: string;
  field: string;
  severity: "error" | "warn";
  overridable: boolean;
  params: Record<string, unknown>;
  spans: Span[];
}

export interface CaptionsContent {
  captions: string[];
}

export interface WorkItem {
  id: number;
  number: number;
  label: string;
  position: number;
  state: "todo" | "made" | "returned" | "accepted" | "excluded";
  revision_no: number;
  image: {
    id: number;
    label: string;
    view_url: string;
    clean_url: string;
    thumb_url: string;
    width: number;
    height: number;
    category: { slug: string; name: Localised } | null;
  };
  content: CaptionsContent | null;
  draft: { content: CaptionsContent; seq: number; base_no: number } | null;
  findings: Finding[];
  /** Why overridable findings stay, by finding code. */
  reasons: Record<string, string>;
  returned: { stage: string; reasons: string[]; comment: string; by: PersonRef } | null;
  checked: boolean;
}

export interface SheetItem extends WorkItem {
  author: PersonRef | null;
  origin: string | null;
  revisions_count: number;
  review: {
    outcome: "accept" | "correct" | "return";
    reasons: string[];
    comment: string;
    round: number;
    judge: PersonRef;
  } | null;
}

export interface InspectionItem extends SheetItem {
  stratum: "random" | "corrected";
  ordinal: number;
  inspection_verdict: { outcome: "right" | "wrong"; reasons: string[]; comment: string } | null;
}

export interface ItemHistory {
  id: number;
  label: string;
  kind: string;
  state: string;
  revision_no: number;
  accepted_no: number | null;
  revisions: {
    no: number;
    author: PersonRef;
    origin: string;
    content: CaptionsContent;
    reasons: Record<string, string>;
    created_at: string;
  }[];
  verdicts: {
    revision_no: number;
    stage: string;
    round: number;
    outcome: string;
    reasons: string[];
    comment: string;
    judge: PersonRef;
    created_at: string;
  }[];
}

export interface Inspection {
  round: number;
  seed: string;
  population: number;
  /** Items of the random stratum, which alone decides. */
  size: number;
  /** All drawn items, corrected ones besides. */
  sample: number;
  percent: number;
  pass_over_percent: number;
  errors_allowed: number;
  judged: number;
  errors: number;
  outcome: "" | "passed" | "returned";
  inspector: PersonRef | null;
  drawn_at: string;
  completed_at: string | null;
  pass_chances: { right_percent: number; chance: number }[];
  interval: { method: string; low: number; high: number; right: number; n: number } | null;
}

export interface InspectionSheet {
  package: Package;
  rules: WorkRules;
  inspection: Inspection;
  items: InspectionItem[];
}

export interface WorkRules {
  slots: number;
  minimum_characters: number;
  overlap: { measure: string; limit_percent: number };
  human_checks: Reason[];
  review_reasons: Reason[];
}

export interface AuditEvent {
  id: number;
  at: string;
  actor: PersonRef | null;
  action: string;
  target_type: string;
  target_id: number;
  /** The target's own name ("img-0042"), where the server gives one. */
  label?: string;
  state_from: string;
  state_to: string;
  data: Record<string, unknown>;
}

export interface Waiting {
  working?: Package[];
  returned?: Package[];
  available?: number;
  to_review?: Package[];
  to_inspect?: Package[];
  week?: { written: number; accepted: number; by_day: number[] };
  board?: { kind: string; states: Record<string, number> }[];
  images_to_judge?: number;
}

export interface Job {
  id: number;
  kind: string;
  state: string;
  done: number;
  total: number | null;
  error_code: string | null;
}

export interface Gate {
  code: string;
  params: Record<string, unknown>;
  label: string;
  link: string | null;
}

export interface Release {
  id: number;
  number: number;
  label: string;
  kind: string;
  state: "draft" | "frozen";
  seed: string;
  created_at: string;
  frozen_at: string | null;
  digest: string | null;
  images: number;
  items: number;
  available_actions: string[];
}

export interface ReleaseDetail extends Release {
  gates: Gate[];
  files: { name: string; bytes: number; sha256: string; url: string }[];
  splits: { name: string; images: number; items: number }[];
  job: Job | null;
}

export interface SystemRef {
  slug: string;
  name: Localised;
  description: Localised;
  is_demo: boolean;
}

export interface Metric {
  profile: string;
  scope: "t2i" | "i2t";
  metric: string;
  value: number;
  low: number;
  high: number;
}

export interface ReleaseScores {
  gallery: { images: number; texts: number; split: string };
  systems: {
    system: SystemRef;
    run: number;
    state: string;
    n_expected: number;
    n_scored: number;
    n_missing: number;
    metrics: Metric[];
  }[];
}

export interface Run {
  id: number;
  system: SystemRef;
  state: string;
  expected: number;
  done: number;
  failed: number;
  last_error: string | null;
  worker: { alive: boolean; last_seen: string | null };
  updated_at: string;
}

export interface Submitted {
  item_id: number;
  state: WorkItem["state"];
  revision_no: number;
  findings: Finding[];
  replayed: boolean;
}

export interface DraftSaved {
  seq: number;
  findings: Finding[];
  saved_at: string;
}
