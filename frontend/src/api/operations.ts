/**
 * Every operation of the API by its operation id: the same name that the permission table, the audit trail and
 * `available_actions` use. What is sent and answered comes from the server's own description (schema.d.ts);
 * operations.test.ts holds the addresses to it.
 */
import type { operations } from "./schema";

/** Downloads are links, not calls; parts of an upload are sent by api/upload.ts. */
export type OperationId = Exclude<keyof operations, "release_gates" | "release_file" | "leaderboard_file" | "audit_file" | "submission_file" | "submission_template" | "upload_part">;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `path` is below /api/v1; {b} is a benchmark's short name, {id} a number. */
export const OPERATIONS = {
  session_show: ["GET", "session"],
  session_update: ["PATCH", "session"],
  demo_log_ins: ["GET", "demo-log-ins"],
  preset_list: ["GET", "protocol-presets"],
  preset_show: ["GET", "protocol-presets/{preset}"],
  protocol_check: ["POST", "protocol-checks"],
  benchmark_list: ["GET", "benchmarks"],
  benchmark_create: ["POST", "benchmarks"],
  benchmark_show: ["GET", "benchmarks/{b}"],
  protocol_list: ["GET", "benchmarks/{b}/protocols"],
  protocol_adopt: ["POST", "benchmarks/{b}/protocols"],
  protocol_show: ["GET", "benchmarks/{b}/protocols/{version}"],
  protocol_compare: ["GET", "benchmarks/{b}/protocols/{version}/compare"],
  person_list: ["GET", "benchmarks/{b}/people"],
  person_show: ["GET", "benchmarks/{b}/people/{id}"],
  role_grant: ["POST", "benchmarks/{b}/people/{id}/roles"],
  role_end: ["POST", "role-grants/{id}/end"],
  account_close: ["POST", "people/{id}/close"],
  account_open: ["POST", "people/{id}/open"],
  team_list: ["GET", "benchmarks/{b}/teams"],
  team_create: ["POST", "benchmarks/{b}/teams"],
  team_update: ["PATCH", "teams/{id}"],
  team_close: ["POST", "teams/{id}/close"],
  invitation_list: ["GET", "benchmarks/{b}/invitations"],
  invitation_create: ["POST", "benchmarks/{b}/invitations"],
  invitation_revoke: ["POST", "invitations/{id}/revoke"],
  invitation_read: ["POST", "invitations/read"],
  invitation_accept: ["POST", "invitations/accept"],
  password_link: ["POST", "benchmarks/{b}/people/{id}/password-link"],
  password_set: ["POST", "password-links/use"],
  consent_show: ["GET", "benchmarks/{b}/consent"],
  consent_give: ["POST", "benchmarks/{b}/consent"],
  consent_withdraw: ["POST", "benchmarks/{b}/consent/withdraw"],
  token_list: ["GET", "tokens"],
  token_create: ["POST", "tokens"],
  token_revoke: ["POST", "tokens/{id}/revoke"],
  image_list: ["GET", "benchmarks/{b}/images"],
  upload_list: ["GET", "benchmarks/{b}/uploads"],
  upload_create: ["POST", "benchmarks/{b}/uploads"],
  upload_drop: ["DELETE", "uploads/{uuid}"],
  upload_describe: ["POST", "benchmarks/{b}/uploads/describe"],
  upload_take: ["POST", "benchmarks/{b}/uploads/take"],
  image_counts: ["GET", "benchmarks/{b}/images/counts"],
  image_hold: ["POST", "benchmarks/{b}/images/hold"],
  image_hold_renew: ["POST", "benchmarks/{b}/images/hold/renew"],
  image_hold_release: ["POST", "benchmarks/{b}/images/hold/release"],
  image_judge: ["POST", "benchmarks/{b}/images/judge"],
  image_clear: ["POST", "benchmarks/{b}/images/clear-personal-information"],
  image_show: ["GET", "images/{id}"],
  image_take_down: ["POST", "images/{id}/take-down"],
  image_restore: ["POST", "images/{id}/restore"],
  image_items: ["GET", "images/{id}/items"],
  image_releases: ["GET", "images/{id}/releases"],
  package_list: ["GET", "benchmarks/{b}/packages"],
  package_build: ["POST", "benchmarks/{b}/packages/build"],
  package_preview: ["POST", "benchmarks/{b}/packages/preview"],
  package_claim: ["POST", "benchmarks/{b}/packages/claim"],
  package_assign: ["POST", "packages/{id}/assign"],
  package_take_back: ["POST", "packages/{id}/take-back"],
  package_withdraw: ["POST", "packages/{id}/withdraw"],
  package_show: ["GET", "packages/{id}"],
  package_resume: ["POST", "packages/{id}/resume"],
  work_next: ["GET", "packages/{id}/next"],
  item_show: ["GET", "items/{id}"],
  item_skip: ["POST", "items/{id}/skip"],
  item_people: ["GET", "items/{id}/people"],
  comment_list: ["GET", "items/{id}/comments"],
  comment_add: ["POST", "items/{id}/comments"],
  guideline_list: ["GET", "benchmarks/{b}/guidelines"],
  guideline_show: ["GET", "benchmarks/{b}/guidelines/{kind}"],
  guideline_preset: ["GET", "benchmarks/{b}/guidelines/{kind}/preset"],
  guideline_add: ["POST", "benchmarks/{b}/guidelines/{kind}"],
  guideline_acknowledge: ["POST", "benchmarks/{b}/guidelines/{kind}/acknowledge"],
  notice_list: ["GET", "notices"],
  notice_read: ["POST", "notices/read"],
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
  item_list: ["GET", "benchmarks/{b}/items"],
  item_import: ["POST", "benchmarks/{b}/items/import"],
  item_skip_decide: ["POST", "items/{id}/decide-skip"],
  pool_show: ["GET", "benchmarks/{b}/pools/{purpose}"],
  pool_claim: ["POST", "benchmarks/{b}/pools/{purpose}/claim"],
  pool_renew: ["POST", "benchmarks/{b}/pools/{purpose}/renew"],
  pool_release: ["POST", "benchmarks/{b}/pools/{purpose}/release"],
  board_show: ["GET", "benchmarks/{b}/board"],
  quality_show: ["GET", "benchmarks/{b}/quality"],
  audit_list: ["GET", "benchmarks/{b}/audit"],
  waiting_show: ["GET", "benchmarks/{b}/waiting"],
  release_list: ["GET", "benchmarks/{b}/releases"],
  release_create: ["POST", "benchmarks/{b}/releases"],
  release_show: ["GET", "releases/{id}"],
  release_update: ["PATCH", "releases/{id}"],
  release_changes: ["GET", "releases/{id}/changes"],
  release_check: ["POST", "releases/{id}/check"],
  release_reopen: ["POST", "releases/{id}/reopen"],
  release_freeze: ["POST", "releases/{id}/freeze"],
  release_write: ["POST", "releases/{id}/write"],
  release_publish: ["POST", "releases/{id}/publish"],
  release_withdraw: ["POST", "releases/{id}/withdraw"],
  release_scores: ["GET", "releases/{id}/scores"],
  release_score: ["POST", "releases/{id}/score"],
  leaderboard_show: ["GET", "releases/{id}/leaderboard"],
  leaderboard_compare: ["GET", "releases/{id}/comparison"],
  sample_list: ["GET", "releases/{id}/samples"],
  sample_show: ["GET", "releases/{id}/samples/{scope}/{ordinal}"],
  run_list: ["GET", "benchmarks/{b}/runs"],
  run_start: ["POST", "benchmarks/{b}/runs"],
  run_show: ["GET", "runs/{id}"],
  run_failures: ["GET", "runs/{id}/failures"],
  run_pause: ["POST", "runs/{id}/pause"],
  run_resume: ["POST", "runs/{id}/resume"],
  run_retry: ["POST", "runs/{id}/retry"],
  run_cancel: ["POST", "runs/{id}/cancel"],
  system_list: ["GET", "systems"],
  system_show: ["GET", "systems/{slug}"],
  system_fetch: ["POST", "systems/{slug}/fetch"],
  system_serve: ["POST", "systems"],
  model_server_list: ["GET", "model-servers"],
  import_list: ["GET", "benchmarks/{b}/imports"],
  import_create: ["POST", "benchmarks/{b}/imports"],
  import_show: ["GET", "imports/{id}"],
  import_rows: ["GET", "imports/{id}/rows"],
  submission_releases: ["GET", "benchmarks/{b}/submissions"],
  submission_list: ["GET", "releases/{id}/submissions"],
  submission_create: ["POST", "releases/{id}/submissions"],
  submission_show: ["GET", "submissions/{id}"],
  submission_list_on: ["POST", "submissions/{id}/list-on"],
  submission_list_off: ["POST", "submissions/{id}/list-off"],
  job_show: ["GET", "jobs/{id}"],
} as const satisfies Record<OperationId, readonly [Method, string]>;

type Json<Message> = Message extends { content: { "application/json": infer Content } } ? Content : never;
type Success<Responses> = Responses[keyof Responses & (200 | 201 | 202)];

/** What an operation answers when it succeeds. */
export type Answer<Id extends OperationId> = Json<Success<operations[Id]["responses"]>>;

type Address<Id extends OperationId> = (typeof OPERATIONS)[Id][1];
type Names<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type PathPart<Id extends OperationId> = [Names<Address<Id>>] extends [never]
  ? unknown
  : { path: { [Name in Names<Address<Id>>]: Name extends "b" | "slug" | "scope" | "uuid" | "preset" | "purpose" | "kind" ? string : number } };

type QueryPart<Id extends OperationId> = operations[Id]["parameters"] extends { query?: infer Query }
  ? [Exclude<Query, undefined>] extends [never]
    ? unknown
    : { query?: { [Name in keyof Query]?: Query[Name] | null } }
  : unknown;

type BodyPart<Id extends OperationId> = operations[Id] extends { requestBody?: infer Body }
  ? [Exclude<Body, undefined>] extends [never]
    ? unknown
    : { body: Exclude<Body, undefined> extends { content: { "multipart/form-data": unknown } } ? FormData : Json<Exclude<Body, undefined>> }
  : unknown;

/** What a call passes: exactly the parts its operation has. */
export type Request<Id extends OperationId> = object & PathPart<Id> & QueryPart<Id> & BodyPart<Id>;

/** The parts of a request that its address is made of. */
interface Addressed {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | null | undefined>;
}

/** The address of an operation with its path parameters and query filled in; empty query values are left out. */
export function addressOf(id: OperationId, request: Addressed): string {
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
