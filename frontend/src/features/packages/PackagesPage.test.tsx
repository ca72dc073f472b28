import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { PackagesPage } from "./PackagesPage";

const title = { "zh-Hans": "灯", "zh-Hant": "燈", en: "Lanterns" };
const replies = (kinds: string[]) => ({
  "GET /api/v1/session": {
    body: {
      person: { id: 1, username: "me", name: "Me", language: "en" },
      is_owner: false,
      benchmarks: [{ slug: "x", title, roles: [], operations: ["package_list", "package_build"], kinds, consent: { needed: false, given: false }, teams: [] }],
      build: "one",
    },
  },
  "GET /api/v1/benchmarks/x": { body: { slug: "x", protocol: { version: 1, name: "x", content: {}, planned: [] }, categories: [] } },
  "GET /api/v1/benchmarks/x/packages": { body: { results: [], next: null, counts: {} } },
});

afterEach(() => vi.unstubAllGlobals());

it.each([
  { kinds: ["captions"], text: "No packages yet", canBuild: true },
  { kinds: [], text: "No work in packages", canBuild: false },
])("builds packages only where the protocol has a kind for them: $kinds", async ({ kinds, text, canBuild }) => {
  serve(replies(kinds));
  await renderScreen(<PackagesPage />, { path: "/b/:slug/packages", at: "/b/x/packages?build=1" });
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByTestId("build-form") !== null || screen.queryByTestId("build") !== null).toBe(canBuild);
});
