/** Items of teams as the server answers them, in captions, and a board with one. */
import type { HeldPeerItem, PeerItem, TeamBoard, TeamItem } from "@/api/types";
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
    team: { id: 7, name: "Egypt" },
    state: "made",
    revision_no: 1,
    image: { id: 40, label: "img-0040", view_url: "/view", clean_url: "/clean", thumb_url: "/thumb", width: 4, height: 3, category: null },
    rules: peerRules,
    guideline: null,
    content: { captions: ["قارب شراعي في النيل"] },
    draft: null,
    findings: [],
    reasons: {},
    author: { id: 2, name: "Mona" },
    mine: false,
    sent_back: null,
    held_until: null,
    comments: 0,
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
    counts: { todo: 1, made: 6, returned: 2, accepted: 57, excluded: 0, skipped: 0 },
    available_actions: ["item_create"],
    results: [{ image: peerItem(1).image, items: [teamItem(1)] }],
    next: null,
    total: 1,
    total_is_capped: false,
    ...changes,
  };
}

/** The session of a member of the team, and the protocol by which teams write captions. */
export function memberReplies(person: number) {
  const operations = ["team_board", "item_create", "item_star", "item_send_back", "item_submit", "peer_pool_claim", "upload_create"];
  return {
    "GET /api/v1/session": {
      body: {
        person: { id: person, username: "sami", name: "Sami", language: "en" },
        is_owner: false,
        benchmarks: [{ slug: "x", title: name("CVQA"), operations, kinds: ["captions"], roles: [], teams: [{ id: 7, name: "Egypt", lead: false }] }],
        build: "1",
      },
    },
    "GET /api/v1/benchmarks/x": { body: { protocol: { content: { kinds: { captions: { track: "peer" } } } }, categories: [] } },
  };
}
