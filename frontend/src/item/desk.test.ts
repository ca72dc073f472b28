import { expect, test } from "vitest";
import type { Track } from "@/api/types";
import { checkAllOf, pagesOfItem } from "./desk";

const pages = (track: Track, ...available_actions: string[]) =>
  pagesOfItem("x", { id: 5, kind: "captions", track, team: track === "peer" ? { id: 7 } : null, package: track === "package" ? { id: 9 } : null, available_actions });

test("an item's pages are those of its track for what the server offers", () => {
  expect(pages("package", "item_submit", "item_history")).toEqual({ write: "/b/x/work/9?item=5", validate: null });
  expect(pages("peer", "item_submit", "item_star", "item_send_back")).toEqual({
    write: "/b/x/team/items/5",
    validate: "/b/x/team/validate?kind=captions&team=7&item=5",
  });
  expect(pages("peer", "item_discard")).toEqual({ write: "/b/x/team/items/5", validate: null });
  expect(pages("peer", "item_history")).toEqual({ write: null, validate: null });
});

test("a board leads to what its reader may do with others' items one after the other", () => {
  const page = (track: "peer" | "panel" | "pair", ...available_actions: string[]) => checkAllOf("x", track, { kind: "captions", team: track === "peer" ? { id: 7 } : null, available_actions });
  expect(page("peer", "item_star")).toBe("/b/x/team/validate?kind=captions&team=7");
  expect(page("panel", "item_judge")).toBe("/b/x/write/judge?kind=captions");
  expect(page("pair", "item_create", "item_click")).toBe("/b/x/write/click?kind=captions");
  // Who decides sees every item, and so clicks on none.
  expect(page("pair", "item_click", "item_decide")).toBe("/b/x/write/decide?kind=captions");
  expect(page("pair", "item_create")).toBeNull();
});
