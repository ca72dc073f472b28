import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Teams } from "./Teams";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const pair = (slug: string, country: string, language: string, script: string) => ({
  slug,
  tag: "ur-PK",
  country: localised(country),
  language: localised(language),
  continent: "asia",
  script,
});
const URDU = pair("pakistan_urdu", "Pakistan", "Urdu", "perso_arabic");
const HINDI = pair("india_hindi", "India", "Hindi", "devanagari");
const team = (id: number, name: string, of: unknown) => ({ id, name, pair: of, lead: null, members: [], size_maximum: 3, closed: false });

function replies(teams: unknown[], taxonomy: unknown = { list: "cvqa", pairs: "cvqa-pairs" }) {
  const content = { roles: [], teams: { size_maximum: 3, roles: [], lead_may_invite: true }, taxonomy };
  return {
    "GET /api/v1/session": {
      body: {
        person: { id: 1, username: "me", name: "Me", language: "en" },
        is_owner: false,
        benchmarks: [
          { slug: "x", title: localised("X"), roles: [], operations: ["team_list", "team_create"], kinds: [], consent: { needed: false, given: false }, teams: [] },
        ],
        build: "one",
      },
    },
    "GET /api/v1/benchmarks/x": { body: { slug: "x", protocol: { version: 2, name: "p", content, planned: [] }, categories: [] } },
    "GET /api/v1/benchmarks/x/protocols/2": { body: { version: 2, pairs: [URDU, HINDI] } },
    "GET /api/v1/benchmarks/x/teams": { body: teams },
    "POST /api/v1/benchmarks/x/teams": { status: 201, body: team(9, "x", null) },
  };
}

const render = () => renderScreen(<Teams />, { at: "/b/x/people/teams", path: "/b/:slug/people/teams" });
const options = () => screen.getAllByRole("option").map((option) => option.textContent);

afterEach(() => vi.unstubAllGlobals());

describe("Teams", () => {
  it("shows country, language and script", async () => {
    serve(replies([team(1, "Karachi", URDU), team(2, "Old", null)]));
    await render();
    expect((await screen.findByTestId("pair-pakistan_urdu")).textContent).toBe("Pakistan · Urdu · Perso-Arabic script");
    expect(screen.getByTestId("team-2").querySelector("[data-testid^=pair-]")).toBeNull();
  });

  it("offers the pairs that have no team, and their names as the team's", async () => {
    const server = serve(replies([team(1, "Karachi", URDU)]));
    await render();
    await userEvent.click(await screen.findByTestId("new-team"));
    await userEvent.selectOptions(await screen.findByTestId("team-pair"), "india_hindi");
    expect(options()).toEqual(["Choose", "India – Hindi"]);
    expect(screen.getByTestId<HTMLInputElement>("team-name").value).toBe("India – Hindi");
    await userEvent.click(screen.getByTestId("save-team"));
    await vi.waitFor(() => expect(server.asked.find((one) => one.method === "POST")?.body).toMatchObject({ name: "India – Hindi", pair: "india_hindi" }));
  });

  it("keeps a name that was typed", async () => {
    const server = serve(replies([]));
    await render();
    await userEvent.click(await screen.findByTestId("new-team"));
    await userEvent.type(await screen.findByTestId("team-name"), "Delhi");
    await userEvent.selectOptions(screen.getByTestId("team-pair"), "india_hindi");
    await userEvent.click(screen.getByTestId("save-team"));
    await vi.waitFor(() => expect(server.asked.find((one) => one.method === "POST")?.body).toMatchObject({ name: "Delhi", pair: "india_hindi" }));
  });

  it("says when every pair has a team", async () => {
    serve(replies([team(1, "a", URDU), team(2, "b", HINDI)]));
    await render();
    await userEvent.click(await screen.findByTestId("new-team"));
    expect(await screen.findByText("Every country and language of the protocol has a team.")).toBeTruthy();
    expect(screen.queryByTestId("team-name")).toBeNull();
  });

  it("asks for a name alone where the protocol lists no pairs", async () => {
    const server = serve(replies([], { list: "cvlue", pairs: null }));
    await render();
    await userEvent.click(await screen.findByTestId("new-team"));
    expect(screen.queryByTestId("team-pair")).toBeNull();
    await userEvent.type(await screen.findByTestId("team-name"), "Alpha");
    await userEvent.click(screen.getByTestId("save-team"));
    await vi.waitFor(() => {
      const body = server.asked.find((one) => one.method === "POST")?.body;
      expect(body).toMatchObject({ name: "Alpha" });
      expect(body).not.toHaveProperty("pair");
    });
  });
});
