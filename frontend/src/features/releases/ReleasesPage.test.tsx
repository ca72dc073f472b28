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

it("chooses the kinds with accepted items for a benchmark's first release, and creates it with those that stay chosen", async () => {
  const benchmark = { slug: "x", title: {}, roles: [], operations: ["release_create", "release_list"], kinds: ["boxes", "captions", "vqa"], consent: { needed: false, given: false }, teams: [] };
  const server = serve({
    "GET /api/v1/session": { body: { person: { id: 1, username: "a", name: "A", language: "en" }, is_owner: false, benchmarks: [benchmark], build: "one" } },
    "GET /api/v1/benchmarks/x/releases": { body: { results: [], next: null, total: 0, total_is_capped: false } },
    "GET /api/v1/benchmarks/x/board": {
      body: { kinds: [{ kind: "boxes", accepted: 0 }, { kind: "captions", accepted: 2 }, { kind: "vqa", accepted: 1 }] },
    },
    "POST /api/v1/benchmarks/x/releases": { status: 201, body: { id: 7 } },
  });
  await renderScreen(<ReleasesPage />, { at: "/b/x/releases?new=1", path: "/b/:slug/releases" });
  const pressed = (kind: string) => screen.getByTestId(`release-kind-${kind}`).getAttribute("aria-pressed");
  await vi.waitFor(() => expect(["captions", "vqa", "boxes"].map(pressed)).toEqual(["true", "true", "false"]));
  await userEvent.click(screen.getByTestId("release-kind-vqa"));
  await userEvent.click(screen.getByTestId("release-kind-captions"));
  expect(screen.getByTestId<HTMLButtonElement>("draft-confirm").disabled).toBe(true);
  await userEvent.click(screen.getByTestId("release-kind-vqa"));
  await userEvent.click(screen.getByTestId("release-kind-captions"));
  await userEvent.click(screen.getByTestId("draft-confirm"));
  await vi.waitFor(() => expect(server.asked.find((one) => one.method === "POST")?.body).toMatchObject({ kinds: ["captions", "vqa"] }));
});
