import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useSession } from "@/api/session";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Invitations } from "./Invitations";
import { People } from "./People";
import { PersonPage } from "./PersonPage";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const ROLES = [
  { code: "annotator", name: localised("Annotator"), capabilities: ["annotate:captions"] },
  { code: "senior", name: localised("Senior"), capabilities: ["review"] },
];
const page = (results: unknown[]) => ({ body: { results, next: null, total: null, total_is_capped: false } });
const grant = (id: number, role: string) => ({ id, role, team: null, granted_at: "2026-11-01T08:00:00Z" });
const person = (id: number, username: string, grants: unknown[]) => ({ id, username, name: username, active: true, last_seen: null, consented: true, grants });
const EVERYTHING = ["person_list", "person_show", "role_grant", "role_end", "team_list", "invitation_list", "invitation_create", "invitation_revoke"];

function replies(operations = EVERYTHING) {
  return {
    "GET /api/v1/session": {
      body: {
        person: { id: 1, username: "me", name: "Me", language: "en" },
        is_owner: false,
        benchmarks: [{ slug: "x", title: localised("X"), roles: [], operations, kinds: [], consent: { needed: false, given: false }, teams: [] }],
        build: "one",
      },
    },
    "GET /api/v1/benchmarks/x": { body: { slug: "x", protocol: { version: 1, name: "p", content: { roles: ROLES }, planned: [] }, categories: [] } },
    "GET /api/v1/benchmarks/x/teams": { body: [] },
    "GET /api/v1/benchmarks/x/people": page([person(1, "me", [grant(10, "senior")]), person(2, "han", [grant(20, "annotator")])]),
    "GET /api/v1/benchmarks/x/invitations": page([]),
  };
}

afterEach(() => vi.unstubAllGlobals());

describe("People", () => {
  it("keeps its filters in the address and asks the server with them", async () => {
    const server = serve(replies());
    const { router } = await renderScreen(<People />, { at: "/b/x/people?role=annotator", path: "/b/:slug/people" });
    await screen.findByTestId("person-han");
    await userEvent.type(screen.getByTestId("search-people"), "han");
    await vi.waitFor(() => expect(router.state.location.search).toBe("?role=annotator&search=han"));
    await vi.waitFor(() =>
      expect(server.asked.filter((one) => one.path.endsWith("/people")).map((one) => one.query.toString())).toEqual(["role=annotator", "search=han&role=annotator"]),
    );
  });

  it("ends a role after asking in the chip's place, never one's own", async () => {
    const server = serve({ ...replies(), "POST /api/v1/role-grants/20/end": { body: person(2, "han", []) } });
    await renderScreen(<People />, { at: "/b/x/people", path: "/b/:slug/people" });
    await userEvent.click(await screen.findByTestId("end-20"));
    expect(screen.queryByTestId("end-10")).toBeNull();
    expect(server.asked.some((one) => one.method === "POST")).toBe(false);
    await userEvent.click(screen.getByTestId("end-20-confirm"));
    await vi.waitFor(() => expect(server.asked.filter((one) => one.method === "POST").map((one) => one.path)).toEqual(["/api/v1/role-grants/20/end"]));
  });

  it("gives a role and says what it allows", async () => {
    const server = serve({ ...replies(), "POST /api/v1/benchmarks/x/people/2/roles": { body: person(2, "han", []) } });
    await renderScreen(<People />, { at: "/b/x/people", path: "/b/:slug/people" });
    await userEvent.click(await screen.findByTestId("grant-han"));
    await userEvent.selectOptions(screen.getByTestId("grant-role"), "senior");
    expect(screen.getByText("reviews")).toBeTruthy();
    await userEvent.click(screen.getByTestId("grant-save"));
    await vi.waitFor(() => expect(server.asked.find((one) => one.method === "POST")?.body).toMatchObject({ role: "senior", team: null }));
  });

  it("offers nothing to change to those who may only look", async () => {
    serve(replies(["person_list"]));
    await renderScreen(<People />, { at: "/b/x/people", path: "/b/:slug/people" });
    await screen.findByTestId("person-han");
    for (const id of ["end-20", "grant-han", "invite", "tab-teams"]) expect(screen.queryByTestId(id)).toBeNull();
  });
});

describe("Invitations", () => {
  const made = { id: 5, note: "", roles: ["annotator"], team: null, lead: false, invited_by: { id: 1, name: "Me" }, created_at: "2026-11-21T08:00:00Z", expires_at: "2026-12-01T08:00:00Z", state: "open", used_by: null };

  it("shows the link once, with the secret behind the #", async () => {
    const server = serve({ ...replies(), "POST /api/v1/benchmarks/x/invitations": { status: 201, body: { ...made, token: "s3cret", replayed: false } } });
    await renderScreen(<Invitations />, { at: "/b/x/people/invitations?new=1", path: "/b/:slug/people/invitations" });
    await userEvent.click(await screen.findByTestId("make-invitation"));
    expect(screen.getByText("Choose at least one role")).toBeTruthy();
    await userEvent.click(screen.getByTestId("role-annotator"));
    await userEvent.type(screen.getByTestId("invite-note"), "for Han");
    await userEvent.click(screen.getByTestId("make-invitation"));
    expect((await screen.findByTestId<HTMLInputElement>("invitation-link")).value).toBe(`${window.location.origin}/join#s3cret`);
    expect(server.asked.find((one) => one.method === "POST")?.body).toMatchObject({ roles: ["annotator"], team: null, lead: false, note: "for Han" });
    await userEvent.click(screen.getByTestId("invite-done"));
    await vi.waitFor(() => expect(screen.queryByTestId("invitation-link")).toBeNull());
  });

  it("says that a repeated request shows no link again", async () => {
    serve({ ...replies(), "POST /api/v1/benchmarks/x/invitations": { status: 201, body: { ...made, token: null, replayed: true } } });
    await renderScreen(<Invitations />, { at: "/b/x/people/invitations?new=1", path: "/b/:slug/people/invitations" });
    await userEvent.click(await screen.findByTestId("role-annotator"));
    await userEvent.click(screen.getByTestId("make-invitation"));
    expect(await screen.findByText(/already created/)).toBeTruthy();
    expect(screen.queryByTestId("invitation-link")).toBeNull();
  });
});

function SignedIn() {
  return useSession().data ? <PersonPage /> : null;
}

describe("PersonPage", () => {
  const OFFERS = { role_grant: "grant", role_end: "end-20", password_link: "make-password-link", account_close: "close-account", account_open: "open-account" };

  it.each([
    ["of an administrator to another one", ["role_grant", "role_end"]],
    ["of the site's owner", ["role_grant", "role_end", "password_link", "account_close"]],
    ["of the site's owner for a closed account", ["account_open"]],
  ])("offers what the server names and nothing else: %s", async (_, actions) => {
    const shown = { ...person(2, "han", [grant(20, "annotator")]), history: [], consents: [], available_actions: actions };
    serve({ ...replies(), "GET /api/v1/benchmarks/x/people/2": { body: shown } });
    await renderScreen(<SignedIn />, { at: "/b/x/people/2", path: "/b/:slug/people/:id" });
    await screen.findByTestId("person-roles");
    const offered = Object.entries(OFFERS).filter(([, button]) => screen.queryByTestId(button) !== null);
    expect(offered.map(([operation]) => operation)).toEqual(actions);
  });
});
