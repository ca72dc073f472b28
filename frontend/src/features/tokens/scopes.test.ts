// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "@/api/operations";
import { scopeOf, scopesIn } from "./scopes";

describe("scopes", () => {
  it("part looking from changing", () => {
    const scopes = scopesIn(["image_list", "image_judge", "media_show", "item_submit", "release_file", "token_create"]);
    expect([...scopes]).toEqual([
      ["images.read", ["image_list", "media_show"]],
      ["images.write", ["image_judge"]],
      ["work.write", ["item_submit"]],
      ["releases.read", ["release_file"]],
    ]);
  });

  it("never hold what concerns people and their keys", () => {
    const offered = Object.keys(OPERATIONS).filter((operation) => scopeOf(operation) !== null);
    expect(offered.filter((operation) => /^(session|person|role|account|team|invitation|password|consent|token)_/.test(operation))).toEqual([]);
  });
});
