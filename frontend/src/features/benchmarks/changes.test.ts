import { describe, expect, it } from "vitest";
import type { ProtocolChange, ProtocolEffect } from "@/api/types";
import { byPart, kindOf, partOf, effectState } from "./changes";
import { isWaiting, plannedIn } from "./planned";

const change = (path: string, part: Partial<ProtocolChange> = {}): ProtocolChange => ({ path, before: 1, after: 2, is_locked: false, ...part });
const effect = (part: Partial<ProtocolEffect> = {}): ProtocolEffect => ({
  base_version: 3,
  changes: [change("images.blur_below")],
  role_changes: [],
  needs_second: false,
  asks_consent_again: false,
  is_same_text: false,
  ...part,
});

describe("changes", () => {
  it("stand part by part in the order of the pages", () => {
    const found = byPart([change("tracks.package.size"), change("consent.version"), change("consent.text.en")]);
    expect(found.map(([part, inPart]) => [part, inPart.map((one) => one.path)])).toEqual([
      ["consent", ["consent.version", "consent.text.en"]],
      ["tracks", ["tracks.package.size"]],
    ]);
    expect(partOf("something.new")).toBe("meta");
  });

  it("are additions, removals or changes", () => {
    expect([change("a", { before: null }), change("a", { after: null }), change("a")].map(kindOf)).toEqual(["added", "removed", "changed"]);
  });
});

describe("standing of a text", () => {
  const locked = [change("kinds.captions.slots", { is_locked: true })];
  it.each([
    ["ready", effect()],
    ["same", effect({ is_same_text: true, base_version: 9 })],
    ["stale", effect({ base_version: 4 })],
    ["locked", effect({ changes: locked })],
    ["ready", effect({ changes: [change("kinds.captions.slots")] })],
    ["ready", effect({ changes: [] })],
  ] as const)("is %s", (wanted, given) => {
    expect(effectState(given, 3)).toBe(wanted);
  });
});

describe("what is planned", () => {
  const planned = ["capabilities.click", "kinds.vqa", "release.exporters.coco_boxes", "release.settings.per_category", "tracks.peer"];

  it("is found by part", () => {
    expect(plannedIn(planned, "release.exporters")).toEqual(["coco_boxes"]);
    expect(plannedIn(planned, "kinds")).toEqual(["vqa"]);
    expect(plannedIn(planned, "release.gates")).toEqual([]);
  });

  it("tells which capabilities wait, whatever kind they are narrowed to", () => {
    expect(["click:grounding", "click", "annotate:captions"].map((one) => isWaiting(planned, one))).toEqual([true, true, false]);
  });
});
