import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
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
  { version: null, warns: true },
  { version: 2, warns: false },
])("warns that a kind has no guidelines before its first packages: version $version", async ({ version, warns }) => {
  const body = replies(["captions"]);
  const benchmarks = body["GET /api/v1/session"].body.benchmarks.map((one) => ({ ...one, operations: [...one.operations, "guideline_list", "guideline_add"] }));
  const row = { kind: "captions", version, created_at: null, note: "", acknowledged: false, has_preset: true };
  serve({
    ...body,
    "GET /api/v1/session": { body: { ...body["GET /api/v1/session"].body, benchmarks } },
    "GET /api/v1/benchmarks/x/guidelines": { body: [row] },
  });
  const { client } = await renderScreen(<PackagesPage />, { path: "/b/:slug/packages", at: "/b/x/packages?build=1" });
  await userEvent.click(await screen.findByTestId("build"));
  await vi.waitFor(() => expect(client.isFetching({ predicate: ({ queryKey }) => JSON.stringify(queryKey).includes("guideline_list") })).toBe(0));
  const warning = screen.queryByTestId("guideline-missing");
  expect(warning?.textContent).toBe(warns ? "There are no guidelines for Captions yet, so annotators start without any. A built-in template is ready to publish." : undefined);
  expect(screen.queryByText("Write guidelines")?.getAttribute("href")).toBe(warns ? "/b/x/guidelines/captions/edit" : undefined);
});

it.each([
  { kinds: ["captions"], text: "No packages yet", canBuild: true },
  { kinds: [], text: "No work in packages", canBuild: false },
])("builds packages only where the protocol has a kind for them: $kinds", async ({ kinds, text, canBuild }) => {
  serve(replies(kinds));
  await renderScreen(<PackagesPage />, { path: "/b/:slug/packages", at: "/b/x/packages?build=1" });
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByTestId("build-form") !== null || screen.queryByTestId("build") !== null).toBe(canBuild);
});
