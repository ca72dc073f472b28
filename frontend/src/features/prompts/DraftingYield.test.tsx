import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { axeFaults } from "@/testing/axe";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { DraftingYield } from "./DraftingYield";

afterEach(() => vi.unstubAllGlobals());

const row = {
  ...{ prompt: "tcc-draft 1", language: "en", model: "gpt-4o", requests: 5, failed: { draft_malformed: 1, call_failed: 1 }, candidates: 9 },
  ...{ unchanged: 2, refined: 3, changed_percent: 12, unwritten: 1, discarded: { too_easy: 2 }, cost: "0.5", currency: "USD" },
};
const open = (rows: unknown[]) => {
  serve({ "GET /api/v1/benchmarks/x/drafting-yield": { body: rows } });
  return renderScreen(<DraftingYield slug="x" />);
};
const cells = async () => Array.from((await screen.findByTestId("yield-row")).children, ({ textContent }) => textContent);

test("a row says how many requests failed and why, and what became of the questions", async () => {
  await open([row]);
  expect(await cells()).toEqual([
    "tcc-draft 1 · en",
    "gpt-4o",
    "5",
    "2 (wrong form: 1 and other reasons: 1)",
    "9",
    "2",
    "3 (12% of the texts changed)",
    "1",
    "2 (Too easy: 2)",
    "0.5 USD",
    "0.10 USD",
  ]);
  expect(await axeFaults()).toEqual([]);
});

test("who may not see spending reads no costs, and nothing is divided by none", async () => {
  const none = { failed: {}, discarded: {}, unchanged: 0, refined: 0, changed_percent: null, cost: null, currency: null };
  await open([{ ...row, ...none }]);
  expect(await cells()).toEqual(["tcc-draft 1 · en", "gpt-4o", "5", "0", "9", "0", "0", "1", "0"]);
});

test("where nothing was drafted there is no table", async () => {
  const { container } = await open([]);
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledOnce());
  expect(container.textContent).toBe("");
});
