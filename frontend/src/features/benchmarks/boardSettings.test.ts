import { describe, expect, it } from "vitest";
import { DEFAULTS, faultsOf, sentSettings } from "./boardSettings";

const named = (en: string, code = "") => ({ code, name: { "zh-Hans": "食", "zh-Hant": "食", en } });
const settings = { ...DEFAULTS, fields: [named("Food")] };

describe("faultsOf", () => {
  it("asks for numbers within the server's limits", () => {
    expect(faultsOf(settings)).toEqual([]);
    for (const proposers of ["", "0", "1001", "1.5", "x"]) expect(faultsOf({ ...settings, proposers }), proposers).toEqual(["proposers"]);
    for (const [minimum, maximum] of [["0", "3"], ["4", "3"], ["1", "101"], ["", "3"]] as const) {
      expect(faultsOf({ ...settings, minimum, maximum }), `${minimum} ${maximum}`).toEqual(["span"]);
    }
  });

  it("asks for a field, and for each a name in three languages", () => {
    expect(faultsOf(DEFAULTS)).toEqual(["fields"]);
    expect(faultsOf({ ...settings, fields: [named(" ")] })).toEqual(["name"]);
  });
});

describe("sentSettings", () => {
  it("keeps codes and gives new fields unique ones", () => {
    const fields = [named("Food", "food"), named("Food"), named("Daily Items!"), named("3 D"), named("食物")];
    const sent = sentSettings({ ...settings, fields });
    expect(sent.semantic_fields.map(({ code }) => code)).toEqual(["food", "food_2", "daily_items", "d", "field"]);
    expect(sent).toMatchObject({ proposers: 5, per_field: { minimum: 5, maximum: 10 } });
  });
});
