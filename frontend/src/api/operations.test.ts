import { expect, test } from "vitest";
import { KEYED_OPERATIONS, OPERATIONS, STALE_AFTER } from "./operations";
import { addressOf } from "./request";

test("an address names the benchmark b, a row id, and keeps the names of other parts", () => {
  expect(OPERATIONS.person_show).toEqual(["GET", "benchmarks/{b}/people/{id}"]);
  expect(OPERATIONS.sample_show).toEqual(["GET", "releases/{id}/samples/{scope}/{ordinal}"]);
  expect(addressOf("person_show", { path: { b: "cvlue", id: 7 } })).toBe("/api/v1/benchmarks/cvlue/people/7");
});

test("a write makes stale what shows its subjects, and a read nothing", () => {
  expect(STALE_AFTER.token_create).toEqual(["token_list", "audit_list"]);
  expect(STALE_AFTER.token_list).toBeUndefined();
  expect(STALE_AFTER.package_build).toEqual(expect.arrayContaining(["package_list", "package_preview", "waiting_show", "item_list", "board_show"]));
});

test("a client key goes with every decision and with no draft", () => {
  expect(KEYED_OPERATIONS.has("item_submit")).toBe(true);
  expect(KEYED_OPERATIONS.has("draft_save")).toBe(false);
});
