/** What a page holds of a dialogue, and what reading its newest turns changes in it. */
import type { Dialogue, TurnList } from "@/api/types";

/** Questions have odd numbers, answers even ones. */
export function partOfTurn(no: number): Dialogue["part"] {
  return no % 2 === 1 ? "question" : "answer";
}

/** The round in which a turn is, from 1. */
export function roundOf(no: number): number {
  return Math.ceil(no / 2);
}

export function isOver({ state }: Pick<Dialogue, "state">): boolean {
  return state === "done" || state === "left";
}

/** The dialogue with the turns that were read, whichever of them it has already. */
export function withTurns(held: Dialogue, read: TurnList): Dialogue {
  const known = new Set(held.turns.map(({ no }) => no));
  const turns = [...held.turns, ...read.turns.filter(({ no }) => !known.has(no))].sort((a, b) => a.no - b.no);
  // An answer that was overtaken by a newer one takes nothing away.
  const turnNo = Math.max(held.turn_no, read.turn_no);
  return {
    ...held,
    turns,
    turn_no: turnNo,
    turns_left: 2 * held.rounds - turnNo,
    is_my_turn: held.state === "open" && partOfTurn(turnNo + 1) === held.part,
    partner_is_ready: read.partner_is_ready,
    partner_away_seconds: read.partner_away_seconds,
  };
}

/** Whether more than turns has changed, so that the whole dialogue is read again. */
export function isOutdated(held: Dialogue, read: TurnList): boolean {
  return held.state !== read.state;
}

/** A page that is open gives a sign at least so often. */
const AWAY_SECONDS = 60;

/** For how many minutes the partner has given no sign; 0 while they are there. */
export function minutesAway({ partner_away_seconds: seconds }: Pick<Dialogue, "partner_away_seconds">): number {
  return seconds < AWAY_SECONDS ? 0 : Math.floor(seconds / 60);
}

/** Why a person can leave, in the order of the list: what only one of the two can know is left out for the other. */
export const REASONS = {
  question: ["no_time", "partner", "caption", "seen", "other"],
  answer: ["no_time", "partner", "picture", "caption", "other"],
} as const;

export type LeaveReason = (typeof REASONS)[Dialogue["part"]][number];
