import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Join } from "./Join";
import { SetPassword } from "./SetPassword";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const invitation = {
  purpose: "join",
  benchmark: { slug: "lanterns", title: localised("Lanterns") },
  roles: [{ code: "annotator", name: localised("Annotator") }],
  team: { id: 1, name: "Singapore" },
  invited_by: { id: 2, name: "Li Lei" },
  expires_at: "2026-12-01T08:00:00Z",
  username: null,
};
const read = "POST /api/v1/invitations/read";
const accept = "POST /api/v1/invitations/accept";
const session = "GET /api/v1/session";
const stranger = { status: 401, body: { code: "not_signed_in", params: {}, detail: "" } };
const me = { body: { person: { id: 7, username: "han", name: "Han", language: "en" }, is_owner: false, benchmarks: [], build: "one" } };

afterEach(() => vi.unstubAllGlobals());

describe("Join", () => {
  it("takes the secret off the address, sends it only in bodies, makes the account and signs in", async () => {
    const server = serve({
      [read]: { body: invitation },
      [session]: stranger,
      [accept]: { body: { slug: "lanterns", username: "new.person" } },
      "GET /_allauth/browser/v1/config": { body: {} },
      "POST /_allauth/browser/v1/auth/login": { body: {} },
    });
    const { router } = await renderScreen(<Join />, { at: "/join#s3cret", path: "/join" });
    expect(await screen.findByText("Annotator")).toBeTruthy();
    expect(router.state.location).toMatchObject({ pathname: "/join", hash: "" });
    await userEvent.type(await screen.findByTestId("join-name"), "New Person");
    await userEvent.type(screen.getByTestId("join-username"), "new.person");
    await userEvent.type(screen.getByTestId("new-password"), "four unrelated words");
    server.replies[session] = me;
    await userEvent.click(screen.getByTestId("join-create"));
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/b/lanterns"));
    expect(server.asked.find((one) => one.path.endsWith("/read"))?.body).toEqual({ token: "s3cret" });
    expect(server.asked.find((one) => one.path.endsWith("/accept"))?.body).toEqual({
      token: "s3cret",
      username: "new.person",
      name: "New Person",
      password: "four unrelated words",
      language: "en",
    });
    expect(server.asked.find((one) => one.path.endsWith("/login"))?.body).toEqual({ username: "new.person", password: "four unrelated words" });
    expect(server.asked.filter((one) => one.path.includes("s3cret") || one.query.toString().includes("s3cret"))).toEqual([]);
  });

  it.each([
    ["annotator", "Shown to colleagues; a pen name is fine"],
    ["outsider", "Seen by this benchmark’s administrators and inspectors, never public; a pen name is fine"],
  ])("says who sees the name of a new %s", async (code, hint) => {
    serve({ [read]: { body: { ...invitation, roles: [{ code, name: localised(code) }] } }, [session]: stranger });
    await renderScreen(<Join />, { at: "/join#s3cret", path: "/join" });
    expect(await screen.findByText(hint)).toBeTruthy();
  });

  it("lets someone who is signed in take part as they are", async () => {
    const server = serve({ [read]: { body: invitation }, [session]: me, [accept]: { body: { slug: "lanterns", username: "han" } } });
    const { router } = await renderScreen(<Join />, { at: "/join#s3cret", path: "/join" });
    await userEvent.click(await screen.findByTestId("join-accept"));
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/b/lanterns"));
    expect(server.asked.find((one) => one.path.endsWith("/accept"))?.body).toEqual({ token: "s3cret" });
    expect(server.asked.some((one) => one.path.endsWith("/login"))).toBe(false);
  });

  it("sends nothing while something is missing, and says what", async () => {
    const server = serve({ [read]: { body: invitation }, [session]: stranger });
    await renderScreen(<Join />, { at: "/join#s3cret", path: "/join" });
    await userEvent.click(await screen.findByTestId("join-create"));
    expect(screen.getByText("Enter a name")).toBeTruthy();
    expect(screen.getByText("At least two characters")).toBeTruthy();
    expect(screen.getByText("Enter a password")).toBeTruthy();
    expect(server.asked.some((one) => one.path.endsWith("/accept"))).toBe(false);
  });

  it.each(["invitation_used", "invitation_expired", "invitation_revoked", "invitation_unknown"])("says why a link opens nothing: %s", async (code) => {
    serve({ [read]: { status: 410, body: { code, params: {}, detail: "" } }, [session]: stranger });
    await renderScreen(<Join />, { at: "/join#s3cret", path: "/join" });
    expect((await screen.findByTestId("problem")).dataset.code).toBe(code);
    expect(screen.queryByTestId("join-create")).toBeNull();
  });

  it("asks for the whole link when the secret is missing", async () => {
    const server = serve({});
    await renderScreen(<Join />, { at: "/join", path: "/join" });
    expect(screen.getByText(/The link is incomplete/)).toBeTruthy();
    expect(server.asked).toEqual([]);
  });
});

describe("SetPassword", () => {
  it("sets the password, ends this browser's session and signs in as the person of the link", async () => {
    const server = serve({
      [read]: { body: { ...invitation, purpose: "password", roles: [], team: null, username: "han" } },
      "POST /api/v1/password-links/use": { body: { username: "han" } },
      "GET /_allauth/browser/v1/config": { body: {} },
      "DELETE /_allauth/browser/v1/auth/session": { status: 401, body: {} },
      "POST /_allauth/browser/v1/auth/login": { body: {} },
    });
    const { router } = await renderScreen(<SetPassword />, { at: "/password#s3cret", path: "/password" });
    await userEvent.type(await screen.findByTestId("new-password"), "four unrelated words");
    await userEvent.click(screen.getByTestId("save-password"));
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/"));
    expect(server.asked.map((one) => `${one.method} ${one.path}`)).toEqual([
      "POST /api/v1/invitations/read",
      "POST /api/v1/password-links/use",
      "DELETE /_allauth/browser/v1/auth/session",
      "GET /_allauth/browser/v1/config",
      "POST /_allauth/browser/v1/auth/login",
      "GET /api/v1/session", // whether the account has a language
    ]);
    expect(server.asked[1]?.body).toEqual({ token: "s3cret", password: "four unrelated words" });
  });

  it("keeps what was typed when the password is refused", async () => {
    serve({
      [read]: { body: { ...invitation, purpose: "password", username: "han" } },
      "POST /api/v1/password-links/use": { status: 422, body: { code: "password_too_weak", params: { reasons: [] }, detail: "" } },
    });
    const { router } = await renderScreen(<SetPassword />, { at: "/password#s3cret", path: "/password" });
    await userEvent.type(await screen.findByTestId("new-password"), "short");
    await userEvent.click(screen.getByTestId("save-password"));
    expect((await screen.findByTestId("problem")).dataset.code).toBe("password_too_weak");
    expect(screen.getByTestId<HTMLInputElement>("new-password").value).toBe("short");
    expect(router.state.location.pathname).toBe("/password");
  });
});
