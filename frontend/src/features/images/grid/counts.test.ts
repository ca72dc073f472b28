import { describe, expect, it } from "vitest";
import type { Subset } from "../protocol";
import { countsOf, faultsIn, typedOf } from "./counts";

const name = { "zh-Hans": "x", "zh-Hant": "x", en: "x" };
const subset = (objects: Subset["objects"]): Subset => ({ code: "A", name, rule: name, objects });
const a = subset({ all: { minimum: 3, maximum: null }, main: { minimum: 2, maximum: null } });
const b = subset({ listed: { minimum: 3, maximum: 5 }, categories: { minimum: 3, maximum: 5 } });
const typed = (all: string, listed: string, main: string, categories = "") => ({ all, listed, categories, main });
const faults = (all: string, listed: string, main: string, of = a) => faultsIn(typed(all, listed, main), of).map(({ field, fault }) => `${field} ${fault}`);

describe("faultsIn", () => {
  it("finds none in counts that lie within each other and within the rule", () => {
    expect(faults("7", "4", "2")).toEqual([]);
    expect(faults("3", "0", "0", subset(null))).toEqual([]);
  });

  it("names what is missing or no number", () => {
    expect(faults("", "x", "2.5")).toEqual(["all empty", "listed empty", "main empty"]);
  });

  it("names what exceeds the count it lies within", () => {
    expect(faults("4", "5", "6")).toEqual(["listed more_than_all", "main more_than_listed"]);
  });

  it("names what the subset's rule does not allow", () => {
    expect(faults("2", "2", "1")).toEqual(["all out_of_rule", "main out_of_rule"]);
    expect(faults("9", "6", "1", subset({ listed: { minimum: 3, maximum: 5 } }))).toEqual(["listed out_of_rule"]);
  });
});

describe("faultsIn where categories are counted", () => {
  const inB = (listed: string, categories: string) => faultsIn(typed("9", listed, "1", categories), b).map(({ field, fault }) => `${field} ${fault}`);

  it("asks how many categories there are, and compares them with the rule", () => {
    expect(inB("4", "3")).toEqual([]);
    expect(inB("4", "")).toEqual(["categories empty"]);
    expect(inB("4", "2")).toEqual(["categories out_of_rule"]);
    expect(inB("3", "4")).toEqual(["categories more_than_listed"]);
  });
});

describe("countsOf", () => {
  it("gives numbers, or nothing while one is missing", () => {
    expect(countsOf(typed("7", " 4", "2"))).toEqual({ all: 7, listed: 4, categories: null, main: 2 });
    expect(countsOf(typed("7", "4", "2", "3"))).toEqual({ all: 7, listed: 4, categories: 3, main: 2 });
    expect(countsOf(typed("7", "", "2"))).toBeNull();
  });

  it("is read back into fields", () => {
    expect(typedOf({ all: 7, listed: 4, categories: 3, main: null })).toEqual(typed("7", "4", "", "3"));
    expect(typedOf(null)).toEqual(typed("", "", ""));
  });
});
