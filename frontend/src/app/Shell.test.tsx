import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Shell } from "./Shell";

afterEach(() => vi.unstubAllGlobals());

it("has no row of places for people without a benchmark", async () => {
  const person = { id: 1, username: "li.lei", name: "Li Lei", language: "en" };
  serve({
    "GET /api/v1/session": { body: { person, is_owner: false, benchmarks: [], submits_to: ["x"], build: "one" } },
    "GET /api/v1/notices": { body: { results: [], next: null, total: 0, total_is_capped: false, unread: 0 } },
  });
  await renderScreen(<Shell />, { at: "/submit/x", path: "/submit/:slug" });
  expect(await screen.findByText("Li Lei")).toBeTruthy();
  expect(screen.queryByRole("navigation")).toBeNull();
});
