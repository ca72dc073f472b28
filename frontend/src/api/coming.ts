/**
 * Operations on people that the server is about to describe, in the shape of schema.d.ts. What the description
 * has by now takes the place of the entry here.
 */
import type { components } from "./schema";

type Schemas = components["schemas"];
type PersonRef = Schemas["PersonBrief"];
type Localised = Schemas["LocalisedText"];

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

interface Keyed {
  client_key: string;
}

export interface TeamRef {
  id: number;
  name: string;
}

export interface GrantRow {
  id: number;
  role: string;
  team: TeamRef | null;
  granted_at: string;
}

export interface Member {
  id: number;
  username: string;
  name: string;
  active: boolean;
  last_seen: string | null;
  consented: boolean;
  grants: GrantRow[];
}

export interface PastGrant {
  role: string;
  team: TeamRef | null;
  granted_at: string;
  granted_by: PersonRef | null;
  ended_at: string | null;
  ended_by: PersonRef | null;
}

export interface ConsentEntry {
  given: boolean;
  text_version: number;
  at: string;
}

export interface MemberDetail extends Member {
  history: PastGrant[];
  consents: ConsentEntry[];
}

export interface Team {
  id: number;
  name: string;
  lead: { id: number; name: string } | null;
  members: { id: number; name: string; roles: string[] }[];
  size_maximum: number | null;
}

export interface Invitation {
  id: number;
  note: string;
  roles: string[];
  team: TeamRef | null;
  lead: boolean;
  invited_by: PersonRef;
  created_at: string;
  expires_at: string;
  state: "open" | "used" | "expired" | "revoked";
  used_by: PersonRef | null;
}

export interface InvitationRead {
  purpose: "join" | "password";
  benchmark: { slug: string; title: Localised };
  roles: { code: string; name: Localised }[];
  team: TeamRef | null;
  invited_by: PersonRef;
  expires_at: string;
  username: string | null;
}

export interface ConsentText {
  version: number;
  text: Localised | null;
  text_sha256: string;
  eligibility: { code: string; name: Localised }[];
  donors: unknown;
  given_at: string | null;
  needed: boolean;
}

export interface ApiToken {
  id: number;
  name: string;
  prefix: string;
  benchmark: string;
  operations: string[];
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  last_used_at: string | null;
}

export interface AuditEntry {
  id: number;
  at: string;
  actor: PersonRef | null;
  action: string;
  target_type: string;
  target_id: number;
  label: string;
  state_from: string;
  state_to: string;
  data: Record<string, unknown>;
}

/** What a session says of each benchmark beside what the description has. */
export interface BenchmarkMore {
  consent: { needed: boolean; given: boolean };
  teams: { id: number; name: string; lead: boolean }[];
}

export type SessionMore = Omit<Schemas["SessionAnswer"], "benchmarks"> & { benchmarks: (Schemas["MyBenchmark"] & Partial<BenchmarkMore>)[] };

/** Operations that answer something else than the description says so far. */
export interface Changed {
  session_show: Op<SessionMore>;
  session_update: Op<SessionMore, { language: "zh-Hans" | "zh-Hant" | "en" }>;
  person_list: Op<Paged<Member>, never, { search?: string; role?: string; team?: number; cursor?: string; page_size?: number }>;
  audit_list: Op<
    Paged<AuditEntry>,
    never,
    { target_type?: string; target_id?: number; actor_id?: number; action?: string; since?: string; until?: string; cursor?: string; page_size?: number }
  >;
}

export interface Coming {
  person_show: Op<MemberDetail>;
  role_grant: Op<Member, { role: string; team?: number | null } & Keyed>;
  role_end: Op<Member, Keyed>;
  account_close: Op<unknown, Keyed>;
  account_open: Op<unknown, Keyed>;
  team_list: Op<Team[]>;
  team_create: Op<Team, { name: string } & Keyed>;
  team_update: Op<Team, { name?: string; lead?: number | null } & Keyed>;
  team_close: Op<unknown, Keyed>;
  invitation_list: Op<Paged<Invitation>, never, { cursor?: string }>;
  invitation_create: Op<
    Invitation & { token: string | null; replayed: boolean },
    { roles: string[]; team?: number | null; lead?: boolean; note?: string } & Keyed
  >;
  invitation_revoke: Op<Invitation, Keyed>;
  invitation_read: Op<InvitationRead, { token: string }>;
  invitation_accept: Op<{ slug: string; username: string }, { token: string; username?: string; name?: string; password?: string; language?: string }>;
  password_link: Op<{ token: string | null; expires_at: string }, Keyed>;
  password_set: Op<{ username: string }, { token: string; password: string }>;
  consent_show: Op<ConsentText>;
  consent_give: Op<ConsentText, { text_sha256: string; eligibility: string[] } & Keyed>;
  consent_withdraw: Op<ConsentText, Keyed>;
  token_list: Op<ApiToken[]>;
  token_create: Op<ApiToken & { token: string | null }, { name: string; benchmark: string; operations: string[]; days: number } & Keyed>;
  token_revoke: Op<ApiToken, Keyed>;
}
