import { expect, test } from "vitest";
import { labelled } from "./people";

test("people without names are distinguished by their part and a number", () => {
  const people = [
    { id: 4, name: null, part: "reviewer" as const },
    { id: 5, name: null, part: "reviewer" as const },
    { id: 6, name: "李雷", part: "administrator" as const },
    { id: 7, name: null, part: "annotator" as const },
  ];
  const parts = { annotator: "写的人", reviewer: "审核", inspector: "抽检", administrator: "管理员" };
  expect(labelled(people, (part) => parts[part]).map(({ label }) => label)).toEqual(["审核1", "审核2", "李雷", "写的人"]);
});
