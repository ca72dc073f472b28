/**
 * Every operation of the API by its operation id: the same name that the permission table, the
 * audit trail and `available_actions` use. `path` is below /api/v1.
 */
import type * as T from "./types";

/** Names the path parameters, the query, the body and the answer of one operation. */
interface Shape {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | null | undefined>;
  body?: unknown;
  answer: unknown;
}

interface InBenchmark {
  b: string;
}
interface ById {
  id: number;
}
interface Keyed {
  client_key: string;
}
interface Cursor {
  cursor?: string | null | undefined;
  page_size?: number;
}

export interface Operations {
  session_show: { answer: T.Session };
  session_update: { body: { language: T.Language }; answer: T.Session };
  demo_log_ins: { answer: T.DemoLogIn[] };
  preset_list: { answer: T.Preset[] };
  benchmark_list: { answer: T.Page<T.BenchmarkSummary> };
  benchmark_create: {
    body: Keyed & { slug: string; title: T.Localised; preset: string };
    answer: T.BenchmarkSummary;
  };
  benchmark_show: { path: InBenchmark; answer: T.Benchmark };
  person_list: { path: InBenchmark; answer: T.Person[] };
  person_create: {
    path: InBenchmark;
    body: Keyed & { username: string; name: string; roles: string[]; password: string };
    answer: T.Person;
  };
  image_list: {
    path: InBenchmark;
    query?: Cursor & { state?: string | undefined; category?: string | undefined };
    answer: T.Page<T.Image> & { counts: T.ImageCounts };
  };
  image_upload: { path: InBenchmark; body: FormData; answer: T.Image };
  image_show: { path: ById; answer: T.ImageDetail };
  image_judge: { path: ById; body: Keyed & { outcome: "accepted" | "refused"; reasons: string[] }; answer: T.Image };
  image_clear: { path: ById; body: Keyed; answer: T.Image };
  package_list: {
    path: InBenchmark;
    query?: Cursor & { state?: string | undefined; kind?: string | undefined };
    answer: T.Page<T.Package> & { counts: Record<string, number> };
  };
  package_build: {
    path: InBenchmark;
    body: Keyed & { kind: string; size?: number; seed?: number; complete_only?: boolean };
    answer: { made: T.Package[]; items: number; left_over: number };
  };
  package_claim: { path: InBenchmark; body: { kind: string }; answer: T.Package & { already_held: boolean } };
  package_show: { path: ById; answer: T.Package & { items: T.WorkItem[] } };
  package_resume: { path: ById; body: Keyed & { revision: number }; answer: T.Package };
  work_next: {
    path: ById;
    query?: { after?: number | undefined };
    answer: { package: T.Package; rules: T.WorkRules; items: T.WorkItem[] };
  };
  draft_save: {
    path: ById;
    body: { base_no: number; seq: number; content: T.CaptionsContent };
    answer: T.DraftSaved;
  };
  item_submit: {
    path: ById;
    body: Keyed & { base_no: number; content: T.CaptionsContent; reasons: Record<string, string> };
    answer: T.Submitted;
  };
  package_self_check: {
    path: ById;
    body: Keyed & { revision: number; items: { id: number; revision_no: number }[] };
    answer: T.Package & { items: T.WorkItem[] };
  };
  package_hand_over: { path: ById; body: Keyed & { revision: number }; answer: T.Package };
  package_review_take: { path: ById; body: Keyed & { revision: number }; answer: T.Package };
  package_sheet: { path: ById; answer: T.Package & { rules: T.WorkRules; items: T.SheetItem[] } };
  item_review: {
    path: ById;
    body: Keyed & {
      revision_no: number;
      outcome: "accept" | "correct" | "return";
      reasons: string[];
      comment: string;
      content?: T.CaptionsContent;
      overrides?: Record<string, string>;
    };
    answer: T.SheetItem;
  };
  package_review_complete: { path: ById; body: Keyed & { revision: number }; answer: T.Package };
  inspection_show: { path: ById; answer: T.InspectionSheet };
  item_inspect: {
    path: ById;
    body: Keyed & { revision_no: number; outcome: "right" | "wrong"; reasons: string[]; comment: string };
    answer: T.InspectionItem;
  };
  package_inspection_complete: { path: ById; body: Keyed & { revision: number }; answer: T.InspectionSheet };
  item_history: { path: ById; answer: T.ItemHistory };
  audit_list: {
    path: InBenchmark;
    query?: Cursor & {
      target_type?: string | undefined;
      target_id?: number | undefined;
      actor_id?: number | undefined;
      action?: string | undefined;
    };
    answer: T.Page<T.AuditEvent>;
  };
  waiting_show: { path: InBenchmark; answer: T.Waiting };
  release_list: { path: InBenchmark; query?: Cursor; answer: T.Page<T.Release> };
  release_create: { path: InBenchmark; body: Keyed & { kind: string; seed?: string }; answer: T.Release };
  release_show: { path: ById; answer: T.ReleaseDetail };
  release_freeze: { path: ById; body: Keyed; answer: T.Release };
  release_scores: { path: ById; answer: T.ReleaseScores };
  release_score: { path: ById; body: Keyed; answer: T.ReleaseScores };
  run_list: { path: InBenchmark; answer: T.Page<T.Run> };
  system_list: { answer: T.Page<T.SystemRef> };
  job_show: { path: ById; answer: T.Job };
}

export type OperationId = keyof Operations;
export type Answer<Id extends OperationId> = Operations[Id]["answer"];

/** What a call passes: exactly the parts its operation has. */
export type Request<Id extends OperationId> = Omit<Operations[Id], "answer">;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export const OPERATIONS = {
  session_show: ["GET", "session"],
  session_update: ["PATCH", "session"],
  demo_log_ins: ["GET", "demo-log-ins"],
  preset_list: ["GET", "protocol-presets"],
  benchmark_list: ["GET", "benchmarks"],
  benchmark_create: ["POST", "benchmarks"],
  benchmark_show: ["GET", "benchmarks/{b}"],
  person_list: ["GET", "benchmarks/{b}/people"],
  person_create: ["POST", "benchmarks/{b}/people"],
  image_list: ["GET", "benchmarks/{b}/images"],
  image_upload: ["POST", "benchmarks/{b}/images"],
  image_show: ["GET", "images/{id}"],
  image_judge: ["POST", "images/{id}/judge"],
  image_clear: ["POST", "images/{id}/clear-personal-information"],
  package_list: ["GET", "benchmarks/{b}/packages"],
  package_build: ["POST", "benchmarks/{b}/packages/build"],
  package_claim: ["POST", "benchmarks/{b}/packages/claim"],
  package_show: ["GET", "packages/{id}"],
  package_resume: ["POST", "packages/{id}/resume"],
  work_next: ["GET", "packages/{id}/next"],
  draft_save: ["PUT", "items/{id}/draft"],
  item_submit: ["POST", "items/{id}/submit"],
  package_self_check: ["POST", "packages/{id}/self-check"],
  package_hand_over: ["POST", "packages/{id}/hand-over"],
  package_review_take: ["POST", "packages/{id}/take-review"],
  package_sheet: ["GET", "packages/{id}/sheet"],
  item_review: ["POST", "items/{id}/review"],
  package_review_complete: ["POST", "packages/{id}/complete-review"],
  inspection_show: ["GET", "packages/{id}/inspection"],
  item_inspect: ["POST", "items/{id}/inspect"],
  package_inspection_complete: ["POST", "packages/{id}/complete-inspection"],
  item_history: ["GET", "items/{id}/history"],
  audit_list: ["GET", "benchmarks/{b}/audit"],
  waiting_show: ["GET", "benchmarks/{b}/waiting"],
  release_list: ["GET", "benchmarks/{b}/releases"],
  release_create: ["POST", "benchmarks/{b}/releases"],
  release_show: ["GET", "releases/{id}"],
  release_freeze: ["POST", "releases/{id}/freeze"],
  release_scores: ["GET", "releases/{id}/scores"],
  release_score: ["POST", "releases/{id}/score"],
  run_list: ["GET", "benchmarks/{b}/runs"],
  system_list: ["GET", "systems"],
  job_show: ["GET", "jobs/{id}"],
} as const satisfies Record<OperationId, readonly [Method, string]>;

/** The address of an operation with its path parameters and query filled in; empty query values are left out. */
export function addressOf(id: OperationId, request: Pick<Shape, "path" | "query">): string {
  const filled = OPERATIONS[id][1].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = request.path?.[name];
    if (value === undefined) throw new Error(`${id} needs the path parameter "${name}"`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
  }
  const tail = query.toString();
  return `/api/v1/${filled}${tail === "" ? "" : `?${tail}`}`;
}
