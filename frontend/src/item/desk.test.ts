import { expect, test } from "vitest";
import type { Track } from "@/api/types";
import { pagesOfItem } from "./desk";

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
