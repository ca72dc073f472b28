import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { InspectionSheet } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { DrawCard } from "./DrawCard";

const inspection = {
  round: 1,
  seed: "ab",
  population: 10,
  size: 3,
  errors_allowed: 0,
  pass_over_percent: 97,
  inspector: null,
  completed_at: null,
  pass_chances: [],
  interval: null,
};
const item = (judge: { id: number; name: string } | null) => ({ stratum: "random", inspection_verdict: { outcome: "right", reasons: [], comment: "", round: 1, judge } });
const unjudged = { stratum: "random", inspection_verdict: null };

async function inspectorWith(inspector: { id: number; name: string } | null, ...items: unknown[]) {
  const sheet = { inspection: { ...inspection, inspector }, items } as unknown as InspectionSheet;
  await renderScreen(
    <DrawCard sheet={sheet} judged={0} errors={0}>
      {null}
    </DrawCard>,
  );
  return screen.getByTestId("inspector").textContent;
}

it.each([
  ["no one before the first verdict", null, [unjudged], "no one yet"],
  ["those who gave the verdicts", null, [item({ id: 1, name: "Li" }), item({ id: 1, name: "Li" }), item({ id: 2, name: "Wu" }), unjudged], "Li and Wu"],
  ["that the name is hidden", null, [item(null), unjudged], "(name not shown)"],
  ["the inspector of the draw", { id: 3, name: "Han" }, [item({ id: 3, name: "Han" })], "Han"],
])("names %s", async (_, inspector, items, text) => {
  expect(await inspectorWith(inspector, ...items)).toBe(text);
});
