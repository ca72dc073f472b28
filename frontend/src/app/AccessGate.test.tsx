import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { AccessGate } from "./AccessGate";
import { requiresConsentAt, isInBar, operationsFor, PLACES } from "./places";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const sessionWith = (operations: string[], consent = { needed: false, given: false }) => ({
  body: {
    person: { id: 1, username: "li.lei", name: "李雷", language: "en" },
    is_owner: false,
    benchmarks: [{ slug: "x", title: localised("X"), roles: [], operations, kinds: [], consent, teams: [] }],
    build: "one",
  },
});
const page = (
  <AccessGate>
    <p data-testid="page" />
  </AccessGate>
);

afterEach(() => vi.unstubAllGlobals());

describe("Open", () => {
  it("says quietly that a page is not open to the person's roles", async () => {
    serve({ "GET /api/v1/session": sessionWith(["package_list"]) });
    await renderScreen(page, { at: "/b/x/people/7", path: "/b/:slug/people/:id" });
    expect(await screen.findByTestId("closed")).toBeTruthy();
    expect(screen.queryByTestId("page")).toBeNull();
    expect(screen.queryByTestId("problem")).toBeNull();
  });

  it("says so of a benchmark one is no longer part of", async () => {
    serve({ "GET /api/v1/session": sessionWith(["package_list"]) });
    await renderScreen(page, { at: "/b/y", path: "/b/:slug" });
    expect(await screen.findByText("See your benchmarks")).toBeTruthy();
  });

  it("shows the text before the first contribution and the page once agreed", async () => {
    const text = {
      version: 2,
      text: localised("What becomes of it"),
      text_sha256: "ab",
      eligibility: [{ code: "fluent", name: localised("I am fluent") }],
      donors: null,
      given_at: null,
      needed: true,
    };
    const server = serve({
      "GET /api/v1/session": sessionWith(["package_claim"], { needed: true, given: false }),
      "GET /api/v1/benchmarks/x/consent": { body: text },
      "POST /api/v1/benchmarks/x/consent": { body: { ...text, given_at: "2026-11-21T08:00:00Z" } },
    });
    await renderScreen(page, { at: "/b/x/work", path: "/b/:slug/work" });
    expect(await screen.findByText("What becomes of it")).toBeTruthy();
    expect(screen.getByText("Version 2")).toBeTruthy();
    await userEvent.click(screen.getByTestId("consent-give"));
    expect(server.asked.some((one) => one.method === "POST")).toBe(false);
    await userEvent.click(screen.getByTestId("eligible-fluent"));
    await userEvent.click(screen.getByTestId("consent-give"));
    expect(await screen.findByTestId("page")).toBeTruthy();
    expect(server.asked.find((one) => one.method === "POST")?.body).toMatchObject({ text_sha256: "ab", eligibility: ["fluent"] });
  });

  it("lets pages through that are open to everyone", async () => {
    serve({ "GET /api/v1/session": sessionWith([]) });
    await renderScreen(page, { at: "/b/x", path: "/b/:slug" });
    expect(await screen.findByTestId("page")).toBeTruthy();
  });
});

describe("operationsFor", () => {
  it("finds the place a page lies in", () => {
    expect(operationsFor("")).toEqual([]);
    expect(operationsFor("/packages/7/review")).toEqual(["package_list"]);
    expect(operationsFor("/people/teams")).toEqual(["team_list"]);
    expect(operationsFor("/peoples")).toEqual([]);
  });

  it("knows the pages one contributes on", () => {
    expect(["/work", "/pictures", "/pictures/cover", "/packages/7"].filter(requiresConsentAt)).toEqual(["/work", "/pictures/cover"]);
  });
});

it("leads whoever takes part to handing predictions in, and those who see the evaluation from there", () => {
  const bar = (...operations: string[]) => PLACES.filter((place) => isInBar(place, { may: (one) => operations.includes(one), tracks: ["package"] })).map((place) => place.name);
  expect(bar("submission_releases")).toEqual(["home", "predictions"]);
  expect(bar("submission_releases", "run_list")).toEqual(["home", "evaluation"]);
  expect(operationsFor("/predictions")).toEqual(["submission_releases"]);
});
