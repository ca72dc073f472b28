import { expect, test } from "vitest";
import { ruleOf, type RuleForm } from "./rule";

const form: RuleForm = {
  kind: "captions",
  size: "",
  mix: "spread",
  categories: [],
  maximum: "",
  seed: "7",
  completeOnly: false,
  assignees: [],
};

test("what is left empty is left to the protocol", () => {
  expect(ruleOf(form).rule).toEqual({ kind: "captions", mix: "spread", seed: 7, complete_only: false });
});

test("what is given is sent", () => {
  const given = { ...form, size: "20", maximum: "3", categories: ["lion"], assignees: [4, 5], completeOnly: true };
  expect(ruleOf(given).rule).toEqual({
    kind: "captions",
    mix: "spread",
    seed: 7,
    size: 20,
    maximum: 3,
    categories: ["lion"],
    assignees: [4, 5],
    complete_only: true,
  });
});

test("fields without a usable number are named", () => {
  expect(ruleOf({ ...form, size: "0", maximum: "two", seed: "" })).toEqual({ rule: null, wrong: ["size", "maximum", "seed"] });
  expect(ruleOf({ ...form, size: "1001" }).wrong).toEqual(["size"]);
});
