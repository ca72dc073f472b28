import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { ReleasesPage } from "./ReleasesPage";

afterEach(() => vi.unstubAllGlobals());

it("offers the first release once, says what will be listed, and opens the form", async () => {
  const benchmark = { slug: "x", title: {}, roles: [], operations: ["release_create", "release_list"], kinds: ["captions"], consent: { needed: false, given: false }, teams: [] };
  serve({
    "GET /api/v1/session": { body: { person: { id: 1, username: "a", name: "A", language: "en" }, is_owner: false, benchmarks: [benchmark], build: "one" } },
    "GET /api/v1/benchmarks/x/releases": { body: { results: [], next: null, count: 0 } },
  });
  await renderScreen(<ReleasesPage />, { at: "/b/x/releases", path: "/b/:slug/releases" });
  expect(await screen.findByText("No releases yet")).toBeTruthy();
  await userEvent.click(screen.getByTestId("new-release"));
  expect(screen.queryByTestId("new-release")).toBeNull();
});
