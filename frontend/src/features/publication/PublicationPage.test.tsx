import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { PublicationPage } from "./PublicationPage";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const operations = ["publication_show", "publication_update", "public_release_open", "public_release_close"];
const session = {
  body: {
    person: { id: 1, username: "me", name: "Me", language: "en" },
    is_owner: false,
    benchmarks: [{ slug: "x", title: localised("X"), roles: [], operations, kinds: [], consent: { needed: false, given: false }, teams: [] }],
    build: "one",
  },
};
const row = {
  id: 5,
  label: "captions-v1",
  state: "published",
  is_public: false,
  opened_at: null,
  closed_at: null,
  downloads: 1200,
  closed_files: [],
  withdrawn_images: 0,
  available_actions: ["public_release_open"],
};
const publication = {
  is_open: false,
  url: "/p/x/",
  preview_url: "/api/v1/benchmarks/x/publication/preview/",
  terms_mode: "open",
  terms_accepted: 0,
  terms: localised(""),
  citation: { authors: ["Wang, Li"], title: "", year: null, url: "" },
  canary: null,
  samples: ["train"],
  releases: [row],
  available_actions: ["publication_update"],
};
const ADDRESS = "/api/v1/benchmarks/x/publication";
const at = { path: "/b/:slug/public-pages", at: "/b/x/public-pages" };

afterEach(() => vi.unstubAllGlobals());

describe("PublicationPage", () => {
  it("asks before it turns the pages on, and leads to the preview only until then", async () => {
    const { asked: sent } = serve({
      "GET /api/v1/session": session,
      [`GET ${ADDRESS}`]: { body: publication },
      [`PATCH ${ADDRESS}`]: { body: { ...publication, is_open: true } },
    });
    await renderScreen(<PublicationPage />, at);
    const preview = await screen.findByTestId("public-preview");
    expect(preview.getAttribute("href")).toBe("/api/v1/benchmarks/x/publication/preview/en/");
    expect(screen.queryByTestId("public-address")).toBeNull();
    expect(screen.getByTestId("public-switch").textContent).toContain("Samples are shown from: Training");
    await userEvent.click(screen.getByTestId("public-toggle"));
    expect(sent.map(({ method }) => method)).not.toContain("PATCH");
    await userEvent.click(screen.getByTestId("public-confirm"));
    expect(sent.find(({ method }) => method === "PATCH")?.body).toMatchObject({ is_open: true });
  });

  it("shows a release to everyone, with its downloads", async () => {
    const { asked: sent } = serve({
      "GET /api/v1/session": session,
      [`GET ${ADDRESS}`]: { body: publication },
      "POST /api/v1/releases/5/open": { body: publication },
    });
    await renderScreen(<PublicationPage />, at);
    expect((await screen.findByTestId("public-captions-v1")).textContent).toContain("Not shown1,200");
    await userEvent.click(screen.getByTestId("public_release_open-captions-v1"));
    expect(sent.some(({ method, path }) => method === "POST" && path === "/api/v1/releases/5/open")).toBe(true);
  });

  it("says which files withdrawn pictures closed, and offers nothing to those who only read", async () => {
    const closed = { ...row, is_public: true, opened_at: "2026-11-20T08:00:00Z", closed_files: ["a.parquet"], withdrawn_images: 2, available_actions: [] };
    serve({
      "GET /api/v1/session": session,
      [`GET ${ADDRESS}`]: { body: { ...publication, is_open: true, releases: [closed], available_actions: [] } },
    });
    await renderScreen(<PublicationPage />, at);
    const line = await screen.findByTestId("public-captions-v1");
    expect(line.textContent).toContain("2 pictures were withdrawn since");
    expect(line.textContent).toContain("1 file is no longer available, because pictures in it were withdrawn or covered");
    expect(screen.getByTestId("public-address").getAttribute("href")).toBe("/p/x/");
    expect(line.querySelector("button")).toBeNull();
    for (const control of ["public-toggle", "save-terms", "save-citation"]) expect(screen.queryByTestId(control)).toBeNull();
  });

  it("saves authors line by line", async () => {
    const { asked: sent } = serve({
      "GET /api/v1/session": session,
      [`GET ${ADDRESS}`]: { body: publication },
      [`PATCH ${ADDRESS}`]: { body: publication },
    });
    await renderScreen(<PublicationPage />, at);
    await userEvent.type(await screen.findByTestId("citation-authors"), "\n The Team \n");
    await userEvent.type(screen.getByTestId("citation-year"), "2026");
    await userEvent.click(screen.getByTestId("save-citation"));
    expect(sent.find(({ method }) => method === "PATCH")?.body).toMatchObject({
      citation: { authors: ["Wang, Li", "The Team"], title: "", year: 2026, url: "" },
    });
  });
});
