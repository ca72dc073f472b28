import { expect, it } from "vitest";
import { talkOf, turnOf } from "@/testing/dialogues";
import { isOutdated, minutesAway, REASONS, roundOf, withTurns } from "./talk";

const read = (turn_no: number, ...nos: number[]) => ({ state: "open" as const, turn_no, turns: nos.map((no) => turnOf(no)), partner_is_ready: false, partner_away_seconds: 5 });

it("takes in turns once, in their order, and knows whose turn it is then", () => {
  const held = talkOf({ part: "question", turns: [turnOf(1)], turn_no: 1 });
  const next = withTurns(held, read(2, 1, 2));
  expect(next.turns.map(({ no }) => no)).toEqual([1, 2]);
  expect(next).toMatchObject({ turn_no: 2, turns_left: 18, is_my_turn: true, partner_away_seconds: 5 });
  // A slower answer to an earlier reading takes nothing away.
  expect(withTurns(next, read(1, 1))).toMatchObject({ turn_no: 2, is_my_turn: true });
  expect(withTurns({ ...next, part: "answer" }, read(2)).is_my_turn).toBe(false);
  expect(withTurns({ ...next, state: "paused" }, read(2)).is_my_turn).toBe(false);
});

it("is read again whole where its state has changed", () => {
  expect(isOutdated(talkOf(), read(0))).toBe(false);
  expect(isOutdated(talkOf({ state: "paused" }), read(0))).toBe(true);
});

it("counts a partner as away from a minute on", () => {
  expect([0, 59, 60, 150].map((seconds) => minutesAway({ partner_away_seconds: seconds }))).toEqual([0, 0, 1, 2]);
});

it("counts rounds from one, and offers reasons that the part can know", () => {
  expect([1, 2, 3, 20].map(roundOf)).toEqual([1, 1, 2, 10]);
  expect(REASONS.question).not.toContain("picture");
  expect(REASONS.answer).not.toContain("seen");
});
