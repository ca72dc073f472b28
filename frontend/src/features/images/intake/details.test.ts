import { describe, expect, it } from "vitest";
import type { UploadDetails } from "@/api/types";
import { pictureRules, type PictureRules } from "../protocol";
import { changes, common, isWebAddress, missingCounts, missingIn, siteOf } from "./details";

const name = { "zh-Hans": "x", "zh-Hant": "x", en: "x" };
const rules = pictureRules({
  consent: { donors: { uses: "ask" } },
  images: {
    sources: ["own", "donated", "external"],
    quota: { per_category_minimum: 3, per_category_target: 5 },
    licences: [{ code: "CC0-1.0", name }],
    sites: [{ code: "commons", name, hosts: ["wikimedia.org"], licences: ["CC0-1.0"] }],
  },
});
const missing = (details: UploadDetails, of: PictureRules = rules) => missingIn(details, of, []);

describe("missingIn", () => {
  it("asks for a source first, a licence and a category always", () => {
    expect(missing({})).toEqual(["source", "licence", "category"]);
    expect(missing({ source: "own", licence: "x", uses: { research: true, commercial: false } }, { ...rules, hasQuota: false })).toEqual([]);
  });

  it("asks for site, address and author of what comes from elsewhere, and for no uses", () => {
    expect(missing({ source: "external", licence: "x", category: "c" })).toEqual(["site", "url", "author"]);
    expect(missing({ source: "external", site: "commons", url: "https://upload.wikimedia.org/a.jpg", author: "Li", licence: "x", category: "c" })).toEqual([]);
    expect(missing({ source: "external", url: "https://e.org/", author: "Li", licence: "x", category: "c" }, { ...rules, sites: [] })).toEqual([]);
  });

  it("asks what own and donated pictures may be used for, as the protocol says", () => {
    const own: UploadDetails = { source: "own", licence: "x", category: "c" };
    expect(missing(own)).toEqual(["uses"]);
    expect(missing(own, { ...rules, uses: "waive" })).toEqual(["waived"]);
    expect(missing(own, { ...rules, uses: "none" })).toEqual([]);
    expect(missing({ ...own, source: "donated" }, { ...rules, uses: "none" })).toEqual(["donor_consent"]);
    expect(missing({ ...own, source: "donated", donor_consent: true }, { ...rules, uses: "none" })).toEqual([]);
  });
});

describe("the team of a picture", () => {
  const team = (id: number) => ({ id, name: String(id), lead: false });
  const lacks = (named: number | undefined, ...teams: number[]) =>
    missingIn({ source: "own", licence: "x", category: "c", ...(named !== undefined && { team: named }) }, { ...rules, uses: "none" }, teams.map(team));

  it("is named by who is in several", () => {
    expect([lacks(undefined), lacks(4), lacks(undefined, 4), lacks(4, 4), lacks(7, 4, 7)]).toEqual([[], [], [], [], []]);
    expect([lacks(5, 4), lacks(undefined, 4, 7), lacks(5, 4, 7)]).toEqual([["team"], ["team"], ["team"]]);
  });
});

describe("addresses", () => {
  it("are http or https", () => {
    expect(isWebAddress(" https://e.org/a ")).toBe(true);
    expect(isWebAddress("javascript:alert(1)")).toBe(false);
    expect(isWebAddress("e.org")).toBe(false);
    expect(isWebAddress(undefined)).toBe(false);
  });

  it("tell the site they lie on", () => {
    expect(siteOf("https://upload.wikimedia.org/a.jpg", rules.sites)?.code).toBe("commons");
    expect(siteOf("https://notwikimedia.org/a.jpg", rules.sites)).toBeUndefined();
  });
});

describe("common", () => {
  it("is what all have, or various", () => {
    expect(common([{ licence: "a" }, { licence: "a" }], "licence")).toEqual({ value: "a", various: false });
    expect(common([{ licence: "a" }, {}], "licence")).toEqual({ value: undefined, various: true });
    expect(common([{}, {}], "uses")).toEqual({ value: undefined, various: false });
    expect(common([], "uses")).toEqual({ value: undefined, various: false });
    const uses = { research: true, commercial: false };
    expect(common([{ uses }, { uses: { ...uses } }], "uses").value).toEqual(uses);
  });
});

describe("changes", () => {
  it("trims texts and keeps what was cleared as cleared", () => {
    expect(changes({ author: " Li ", url: "" })).toEqual({ author: "Li", url: "" });
  });
});

describe("missingCounts", () => {
  it("counts each thing over all, most first", () => {
    expect(missingCounts([["licence"], ["category", "licence"], []])).toEqual([
      ["licence", 2],
      ["category", 1],
    ]);
  });
});
