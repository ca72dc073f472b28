// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { CrewSection } from "./Crew";
import { CrewInvitation } from "./CrewInvitation";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const crew = (changes: object = {}) => ({
  body: { crew: { name: "Lanterns", members: [{ id: 1, name: "Li" }, { id: 2, name: "Han" }], link_until: null, may_leave: true, ...changes }, may_join: false },
});
const alone = { body: { crew: null, may_join: true } };
const READ = "GET /api/v1/benchmarks/x/crew";

afterEach(() => vi.unstubAllGlobals());

describe("CrewSection", () => {
  const open = async (replies: Parameters<typeof serve>[0]) => {
    const server = serve(replies);
    await renderScreen(<CrewSection />, { at: "/submit/x", path: "/submit/:slug" });
    return server;
  };

  it("lets a person alone name a team", async () => {
    const server = await open({ [READ]: alone, "PUT /api/v1/benchmarks/x/crew": crew() });
    await userEvent.click(await screen.findByTestId("crew-start"));
    expect(screen.getByTestId<HTMLButtonElement>("crew-name-save").disabled).toBe(true);
    await userEvent.type(screen.getByTestId("crew-name-field"), " Lanterns ");
    server.replies[READ] = crew();
    await userEvent.click(screen.getByTestId("crew-name-save"));
    expect((await screen.findByTestId("crew-name")).textContent).toBe("Lanterns");
    expect(server.asked.find(({ method }) => method === "PUT")?.body).toMatchObject({ name: "Lanterns" });
    expect(screen.getByTestId("crew-members").textContent).toBe("2 members: Li and Han");
  });

  it("keeps the form where the name is taken", async () => {
    await open({ [READ]: alone, "PUT /api/v1/benchmarks/x/crew": { status: 409, body: { code: "crew_name_taken", params: {}, detail: "" } } });
    await userEvent.click(await screen.findByTestId("crew-start"));
    await userEvent.type(screen.getByTestId("crew-name-field"), "Taken{Enter}");
    expect(await screen.findByText(/Another team here has this name/)).toBeTruthy();
    expect(screen.getByTestId<HTMLInputElement>("crew-name-field").value).toBe("Taken");
  });

  it("makes a link that is shown once", async () => {
    const link = { status: 201, body: { token: "secret", expires_at: "2026-12-02T00:00:00Z" } };
    await open({ [READ]: crew(), "POST /api/v1/benchmarks/x/crew/link": link });
    await userEvent.click(await screen.findByTestId("crew-make-link"));
    expect((await screen.findByTestId<HTMLInputElement>("crew-link")).value).toMatch(/\/submit\/x\/team#secret$/);
  });

  it("offers leaving until the first file", async () => {
    const server = await open({ [READ]: crew(), "POST /api/v1/benchmarks/x/crew/leave": alone });
    server.replies[READ] = alone;
    await userEvent.click(await screen.findByTestId("crew-leave"));
    expect(await screen.findByTestId("crew-start")).toBeTruthy();
    server.replies[READ] = crew({ may_leave: false });
  });

  it("does not offer leaving afterwards", async () => {
    await open({ [READ]: crew({ may_leave: false }) });
    await screen.findByTestId("crew-name");
    expect(screen.queryByTestId("crew-leave")).toBeNull();
  });
});

describe("CrewInvitation", () => {
  const page = (participation: string, accepted = true) => ({
    body: {
      benchmark: { slug: "x", title: localised("X") },
      url: "/p/x/",
      may_join: true,
      participation,
      terms: { text: localised("For research only."), sha256: "5".repeat(64), for_files: false, accepted },
    },
  });
  const SUBMIT = "GET /api/v1/benchmarks/x/submit";
  const invitation = { "POST /api/v1/benchmarks/x/crew/invitation": { body: { name: "Lanterns", members: 1 } } };
  const open = async (replies: Parameters<typeof serve>[0], token = "#secret") => {
    const server = serve({ [READ]: alone, ...invitation, ...replies });
    const shown = await renderScreen(<CrewInvitation />, { at: `/submit/x/team${token}`, path: "/submit/:slug/team" });
    return { server, ...shown };
  };

  it("joins after the benchmark and its terms", async () => {
    const { server, router } = await open({
      [SUBMIT]: page("none", false),
      "POST /api/v1/benchmarks/x/submit/join": { body: { username: "me" } },
      "POST /api/v1/benchmarks/x/terms/accept": page("outsider"),
      "POST /api/v1/benchmarks/x/crew/join": crew(),
    });
    server.replies[SUBMIT] = page("outsider", false);
    await userEvent.click(await screen.findByTestId("submit-join"));
    server.replies[SUBMIT] = page("outsider");
    await userEvent.click(await screen.findByTestId("submit-accept"));
    expect(await screen.findByText("Join the team Lanterns?")).toBeTruthy();
    await userEvent.click(screen.getByTestId("crew-join"));
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/submit/x"));
    expect(server.asked.find(({ path }) => path.endsWith("/crew/join"))?.body).toMatchObject({ token: "secret" });
  });

  it.each([
    [{ crew: null, may_join: false }, "You have submitted files here, so you cannot join a team."],
    [crew().body, "You already belong to the team Lanterns."],
  ])("says why the reader cannot join", async (own, text) => {
    await open({ [SUBMIT]: page("outsider"), [READ]: { body: own } });
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByTestId("crew-join")).toBeNull();
  });

  it("says that a link without its secret is not complete", async () => {
    const { server } = await open({ [SUBMIT]: page("outsider") }, "");
    expect(await screen.findByText(/This link is not complete/)).toBeTruthy();
    expect(server.asked.some(({ path }) => path.endsWith("/invitation"))).toBe(false);
  });
});
