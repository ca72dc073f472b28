import { expect, it } from "vitest";
import { isInBar, isLeftToDeeper, markedPlace, operationsFor, PLACES, requiresConsentAt } from "./places";

const bar = (tracks: readonly ("package" | "peer")[]) =>
  PLACES.filter((place) => isInBar(place, { may: () => true, tracks })).map(({ name }) => name);

it("shows the team's board where teams work, and packages where packages are worked on", () => {
  expect(bar(["peer"])).toContain("team");
  expect(bar(["peer"])).not.toContain("packages");
  expect(bar(["package"])).not.toContain("team");
  expect(bar(["package", "peer"])).toEqual(expect.arrayContaining(["team", "work", "packages"]));
});

it("opens each page of teams' work to those who may read it", () => {
  const pages = ["/team", "/team/items/3", "/team/spot-checks", "/team/spot-checks/judge", "/team/credit"];
  expect(pages.map((path) => operationsFor(path)[0])).toEqual(["team_board", "team_board", "spot_check_list", "item_spot_check", "credit_list"]);
  expect(pages.filter(requiresConsentAt)).toEqual(["/team/spot-checks/judge"]);
});

it("marks evaluation on the pages of prompts and of model calls", () => {
  const pages = ["/prompts", "/prompts/cvlue-vqa/en/1", "/spending/calls/3", "/imports/2", "/runs", "/promptsx", ""];
  expect(pages.map(markedPlace)).toEqual(["evaluation", "evaluation", "evaluation", "items", undefined, undefined, undefined]);
});

it("shows dialogues where the protocol has them, and opens them to those who take part", () => {
  const names = (kinds?: string[]) => PLACES.filter((place) => isInBar(place, { may: (one) => one === "lobby_join", tracks: ["pair"], ...(kinds && { kinds }) })).map(({ name }) => name);
  expect(names(["dialogue"])).toContain("dialogues");
  expect([...names(["grounding"]), ...names()]).not.toContain("dialogues");
  expect(["/write/dialogue", "/write/dialogue/5", "/write/items/5"].map((path) => operationsFor(path)[0])).toEqual(["lobby_join", "lobby_join", "team_board"]);
  expect(requiresConsentAt("/write/dialogue")).toBe(true);
});

it("marks the deepest place in the bar", () => {
  const [writing, dialogues] = ["writing", "dialogues"].map((name) => PLACES.filter((place) => place.name === name)).map(([place]) => place);
  if (writing === undefined || dialogues === undefined) throw new Error("no such place");
  expect(isLeftToDeeper("/write/dialogue/5", writing, [writing, dialogues])).toBe(true);
  expect(isLeftToDeeper("/write/items/5", writing, [writing, dialogues])).toBe(false);
  expect(isLeftToDeeper("/write/dialogue", writing, [writing])).toBe(false);
  expect(isLeftToDeeper("/write/dialogue", dialogues, [writing, dialogues])).toBe(false);
});
