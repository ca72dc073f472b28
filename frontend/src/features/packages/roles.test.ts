import { expect, test } from "vitest";
import { annotatingRoles } from "./roles";

const roles = [
  { code: "annotator", capabilities: ["annotate", "click:grounding"] },
  { code: "asker", capabilities: ["annotate:vqa"] },
  { code: "senior", capabilities: ["review"] },
];

test("whoever writes every kind or just this one may be given a package of it", () => {
  expect([...annotatingRoles(roles, "captions")]).toEqual(["annotator"]);
  expect([...annotatingRoles(roles, "vqa")]).toEqual(["annotator", "asker"]);
  expect([...annotatingRoles(undefined, "vqa")]).toEqual([]);
});
