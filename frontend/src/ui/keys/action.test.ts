import { describe, expect, it } from "vitest";
import { clashes } from "./action";

describe("clashes", () => {
  it("names two actions with one key", () => {
    expect(clashes([{ name: "a", keys: ["x", "y"] }, { name: "b", keys: ["y"] }])).toEqual([{ keys: "y", actions: ["a", "b"] }]);
  });

  it("counts a key that another's sequence begins with", () => {
    expect(clashes([{ name: "go", keys: ["g p"] }, { name: "guidelines", keys: ["g"] }])).toHaveLength(1);
  });

  it("lets different sequences share their first key", () => {
    expect(clashes([{ name: "one", keys: ["g p"] }, { name: "two", keys: ["g h"] }])).toEqual([]);
  });
});
