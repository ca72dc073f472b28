/** Dialogues and a lobby as the server answers them. */
import type { Dialogue, DialogueTurn, Lobby } from "@/api/types";

export function turnOf(no: number, changes: Partial<DialogueTurn> = {}): DialogueTurn {
  const part = no % 2 === 1 ? "question" : "answer";
  const text = part === "question" ? `第${no}问：左边有什么？` : `左边有${no}只熊猫。`;
  return { no, part, text, flags: [], created_at: "2026-11-28T10:00:00Z", ...changes };
}

/** A dialogue without a turn, as the person who asks sees it. */
export function talkOf(changes: Partial<Dialogue> = {}): Dialogue {
  return {
    id: 9,
    state: "open",
    part: "question",
    caption: "两只大熊猫坐在草地上。",
    language: { lang: "zh-Hans", dir: "ltr" },
    rounds: 10,
    turn_no: 0,
    turns_left: 20,
    is_my_turn: true,
    turns: [],
    image: null,
    item: null,
    reason: "",
    pauses_left: 3,
    paused_at: null,
    is_ready: false,
    partner_is_ready: false,
    partner_away_seconds: 3,
    away_minutes: 10,
    sign_seconds: 20,
    available_actions: ["turn_say", "dialogue_pause", "dialogue_leave"],
    ...changes,
  };
}

export const PICTURE: NonNullable<Dialogue["image"]> = { id: 40, view_url: "/media/40/view", clean_url: "/media/40/clean", width: 640, height: 480, redaction_no: 0 };

export function lobbyOf(changes: Partial<Lobby> = {}): Lobby {
  return { kind: "dialogue", benchmark_id: 4, parts: ["question", "answer"], waits_as: [], since: null, others: 0, sign_seconds: 20, dialogues: [], ...changes };
}
