import { expect, test } from "vitest";
import { newerRevision } from "./failure";

const theirs = { captions: ["对方"] };

test("a stale answer gives the newer revision and what both grew from", () => {
  const base = { captions: ["原来"] };
  const body = { code: "stale_revision", params: { base_no: 1, revision_no: 2 }, mine: { captions: ["我的"] }, theirs, base };
  expect(newerRevision(body)).toEqual({ no: 2, content: theirs, base });
  expect(newerRevision({ ...body, base: null })?.base).toBeNull();
});

test("an answer without the other text gives nothing to compare", () => {
  expect(newerRevision({ code: "stale_revision", params: { revision_no: 2 } })).toBeNull();
  expect(newerRevision({ params: {}, theirs })).toBeNull();
  expect(newerRevision(null)).toBeNull();
});
