/** Items of teams as the server answers them, in captions, and a board with one. */
import type { HeldPeerItem, PeerItem, SpotCheck, SpotCheckItem, SpotChecks, TeamBoard, TeamItem, TeamSpotCheck } from "@/api/types";
import { captionsTree, text } from "./content";

const name = (en: string) => ({ "zh-Hans": en, "zh-Hant": en, en });

export const peerRules = {
  kind: "captions",
  content: captionsTree(1, text({ lang: "ar", dir: "rtl" })),
  slots: 1,
  minimum_characters: 8,
  overlap: { measure: "bigram_jaccard", limit_percent: 30 },
  human_checks: [],
  review_reasons: [
    { code: "language", name: name("Typo or grammar") },
    { code: "not_cultural", name: name("Not cultural") },
  ],
  skip_reasons: [],
} as unknown as PeerItem["rules"];

export function peerItem(id: number, changes: Partial<PeerItem> = {}): PeerItem {
  return {
    id,
    label: `cap-00000${id}`,
    kind: "captions",
    slot: 0,
    track: "peer",
    team: { id: 7, name: "Egypt" },
    state: "made",
    revision_no: 1,
    image: { id: 40, label: "img-0040", view_url: "/view", clean_url: "/clean", redaction_no: 0, thumb_url: "/thumb", width: 4, height: 3, category: null },
    rules: peerRules,
    guideline: null,
    content: { captions: ["قارب شراعي في النيل"] },
    draft: null,
    findings: [],
    reasons: {},
    author: { id: 2, name: "Mona" },
    mine: false,
    sent_back: null,
    judging: null,
    base: null,
    is_restored: false,
    held_until: null,
    comments: 0,
    may_create: true,
    available_actions: ["item_star", "item_send_back", "item_submit"],
    ...changes,
  };
}

export function heldItem(id: number, changes: Partial<HeldPeerItem> = {}): HeldPeerItem {
  return { ...peerItem(id), seat: id + 100, lease_until: "2026-11-23T10:00:00Z", ...changes };
}

export function teamItem(id: number, changes: Partial<TeamItem> = {}): TeamItem {
  return {
    id,
    label: `cap-00000${id}`,
    slot: 0,
    state: "made",
    revision_no: 1,
    author: { id: 2, name: "Mona" },
    mine: false,
    first_text: "قارب شراعي في النيل",
    language: { lang: "ar", dir: "rtl" },
    held_until: null,
    is_drafted: false,
    drafted_by: null,
    reader_drafted: false,
    ...changes,
  };
}

export function teamBoard(changes: Partial<TeamBoard> = {}): TeamBoard {
  return {
    team: { id: 7, name: "Egypt" },
    kind: "captions",
    maximum: 3,
    required: 200,
    accepted: 57,
    to_check: 4,
    drafts: 0,
    mine_returned: 0,
    authors: [],
    counts: { todo: 1, made: 6, returned: 2, accepted: 57, excluded: 0, skipped: 0 },
    available_actions: ["item_create", "item_star"],
    results: [{ image: peerItem(1).image, items: [teamItem(1)] }],
    next: null,
    total: 1,
    total_is_capped: false,
    ...changes,
  };
}

/** The session of a member of the team, and the protocol by which they do a kind of work. */
export function memberReplies(person: number, kind = "captions", track = "peer") {
  const operations = ["team_board", "item_create", "item_star", "item_send_back", "item_submit", "peer_pool_claim", "upload_create"];
  return {
    "GET /api/v1/session": {
      body: {
        person: { id: person, username: "sami", name: "Sami", language: "en" },
        is_owner: false,
        benchmarks: [{ slug: "x", title: name("CVQA"), operations, kinds: [kind], roles: [], teams: [{ id: 7, name: "Egypt", lead: false }] }],
        build: "1",
      },
    },
    "GET /api/v1/benchmarks/x": { body: { protocol: { content: { kinds: { [kind]: { track } } } }, categories: [] } },
  };
}

/** A drawn item that waits to be judged. */
export function drawnItem(id: number, changes: Partial<SpotCheckItem> = {}): SpotCheckItem {
  const { label, state, revision_no, image, content, findings, reasons, author, comments } = peerItem(id, { state: "accepted" });
  return {
    ...{ id, label, state, team: { id: 7, name: "Egypt" }, revision_no, image, content, findings, reasons, author, comments },
    language: { lang: "ar", dir: "rtl" },
    reader_edited: false,
    reader_starred: false,
    ...changes,
  };
}

/** What a spot check of three items showed, one of them wrong. */
export function teamResult(changes: Partial<TeamSpotCheck> = {}): TeamSpotCheck {
  return {
    team: { id: 7, name: "Egypt" },
    population: 30,
    drawn: 3,
    right: 2,
    wrong: 1,
    open: 0,
    changed: 0,
    interval: { method: "hypergeometric", low: 0.2, high: 0.97 },
    ...changes,
  };
}

export function spotCheck(changes: Partial<SpotCheck> = {}): SpotCheck {
  return { id: 5, drawn_at: "2026-11-20T10:00:00Z", percent: 10, teams: [teamResult()], ...changes };
}

export function spotChecks(changes: Partial<SpotChecks> = {}): SpotChecks {
  return {
    kind: "captions",
    percent: 10,
    to_judge: 0,
    preview: [
      { team: { id: 7, name: "Egypt" }, population: 21, size: 3 },
      { team: { id: 8, name: "Sichuan" }, population: 4, size: 1 },
    ],
    available_actions: ["spot_check_draw"],
    results: [spotCheck()],
    next: null,
    total: 1,
    total_is_capped: false,
    ...changes,
  };
}

/** The session of a curator, who is in no team, and the protocol by which teams write captions. */
export function curatorReplies(operations = ["team_board", "team_list", "spot_check_list", "spot_check_draw", "item_spot_check"]) {
  const replies = memberReplies(9);
  const [benchmark] = replies["GET /api/v1/session"].body.benchmarks;
  Object.assign(benchmark ?? {}, { operations, teams: [] });
  return replies;
}
