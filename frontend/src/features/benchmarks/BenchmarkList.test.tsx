import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { BenchmarkList } from "./BenchmarkList";

afterEach(() => vi.unstubAllGlobals());

test("who is outside every team is led to the pages where they submit predictions", async () => {
  const person = { id: 1, username: "reader", name: "Reader", language: "en" };
  serve({
    "GET /api/v1/session": { body: { person, is_owner: false, benchmarks: [], submits_to: ["lamps"], build: "one" } },
    "GET /api/v1/benchmarks": { body: [] },
  });
  await renderScreen(<BenchmarkList />, { at: "/benchmarks", path: "/benchmarks" });
  const link = await screen.findByTestId("submit-lamps");
  expect([link.getAttribute("href"), link.textContent]).toEqual(["/submit/lamps", "Submit predictions: lamps"]);
  expect(screen.getByText("You do not belong to a team. You submit predictions here:")).toBeTruthy();
});
