import { expect, test } from "vitest";
import { versionsIn } from "./versions";

const mine = { captions: ["我的"] };
const theirs = { captions: ["对方"] };

test("a stale answer gives the newer revision and what both grew from", () => {
  const base = { captions: ["原来"] };
  const body = { code: "stale_revision", params: { base_no: 1, revision_no: 2 }, mine, theirs, base };
  expect(versionsIn(body, mine)).toEqual({ theirsNo: 2, mine, theirs, base });
  expect(versionsIn({ ...body, base: null }, mine)?.base).toBeNull();
});

test("an answer without the other text gives nothing to compare", () => {
  expect(versionsIn({ code: "stale_revision", params: { revision_no: 2 } }, mine)).toBeNull();
  expect(versionsIn({ params: {}, theirs }, mine)).toBeNull();
  expect(versionsIn(null, mine)).toBeNull();
});
