import { expect, test } from "vitest";
import type { Gate } from "@/api/types";
import { groupGates } from "./gates";

const gate = (code: string, label: string, params: Gate["params"] = {}): Gate => ({ code, label, params, link: `/b/x/pictures/${label}` });

test("failures are grouped by gate, with the number of all of them", () => {
  const groups = groupGates(
    [gate("licence", "img-0001"), gate("personal_information", "img-0002"), gate("licence", "img-0003")],
    [
      { code: "licence", n: 240 },
      { code: "personal_information", n: 1 },
    ],
  );
  expect(groups.map(({ code, total, gates }) => [code, total, gates.length])).toEqual([
    ["licence", 240, 2],
    ["personal_information", 1, 1],
  ]);
});

test("an unknown gate keeps its own name", () => {
  expect(groupGates([gate("unknown_gate", "cards", { name: "cards" })], [])[0]?.name).toBe("cards");
});
