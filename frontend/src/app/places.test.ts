import { expect, it } from "vitest";
import { isInBar, PLACES } from "./places";

const bar = (tracks: readonly ("package" | "peer")[]) =>
  PLACES.filter((place) => isInBar(place, { may: () => true, tracks })).map(({ name }) => name);

it("shows the team's board where teams work, and packages where packages are worked on", () => {
  expect(bar(["peer"])).toContain("team");
  expect(bar(["peer"])).not.toContain("packages");
  expect(bar(["package"])).not.toContain("team");
  expect(bar(["package", "peer"])).toEqual(expect.arrayContaining(["team", "work", "packages"]));
});
