// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Outside } from "./Outside";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const page = {
  benchmark: { slug: "lanterns", title: localised("Lanterns") },
  url: "/p/lanterns/",
  may_join: true,
  participation: "none",
  terms: { text: localised(""), sha256: "", for_files: false, accepted: true },
};
const read = "GET /api/v1/benchmarks/lanterns/submit";
const join = "POST /api/v1/benchmarks/lanterns/submit/join";

afterEach(() => vi.unstubAllGlobals());

async function open(replies: Parameters<typeof serve>[0]) {
  const server = serve({ "GET /_allauth/browser/v1/config": { body: {} }, "POST /_allauth/browser/v1/auth/login": { body: {} }, ...replies });
  const onSignedIn = vi.fn(() => Promise.resolve());
  await renderScreen(<Outside slug="lanterns" onSignedIn={onSignedIn} />, { at: "/submit/lanterns", path: "/submit/:slug" });
  return { server, onSignedIn };
}

describe("Outside", () => {
  it("creates an account and signs in with it", async () => {
    const { server, onSignedIn } = await open({ [read]: { body: page }, [join]: { body: { username: "new.person" } } });
    await userEvent.click(await screen.findByTestId("outside-switch"));
    expect(screen.getByRole("heading").textContent).toBe("Lanterns");
    expect(screen.getByText("Seen by this benchmark’s administrators and inspectors, never public; a pen name is fine")).toBeTruthy();
    await userEvent.type(screen.getByTestId("join-name"), "New Person");
    await userEvent.type(screen.getByTestId("join-username"), "new.person");
    await userEvent.type(screen.getByTestId("new-password"), "four unrelated words");
    await userEvent.click(screen.getByTestId("join-create"));
    await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledTimes(1));
    const account = { username: "new.person", name: "New Person", password: "four unrelated words", language: "en" };
    expect(server.asked.find((one) => one.path.endsWith("/join"))?.body).toEqual(account);
    expect(server.asked.find((one) => one.path.endsWith("/login"))?.body).toEqual({ username: "new.person", password: "four unrelated words" });
  });

  it("keeps what was typed when the name is taken", async () => {
    const refusal = { status: 409, body: { code: "username_taken", params: { username: "admin" }, detail: "" } };
    const { server, onSignedIn } = await open({ [read]: { body: page }, [join]: refusal });
    await userEvent.click(await screen.findByTestId("outside-switch"));
    await userEvent.type(screen.getByTestId("join-name"), "A");
    await userEvent.type(screen.getByTestId("join-username"), "admin");
    await userEvent.type(screen.getByTestId("new-password"), "four unrelated words");
    await userEvent.click(screen.getByTestId("join-create"));
    expect((await screen.findByTestId("problem")).dataset.code).toBe("username_taken");
    expect(screen.getByTestId<HTMLInputElement>("join-username").value).toBe("admin");
    expect(server.asked.some((one) => one.path.endsWith("/login"))).toBe(false);
    expect(onSignedIn).not.toHaveBeenCalled();
  });

  it.each([
    ["by invitation only", { body: { ...page, may_join: false } }],
    ["without public pages", { status: 404, body: { code: "not_found", params: {}, detail: "" } }],
  ])("offers only signing in: %s", async (_, reply) => {
    await open({ [read]: reply });
    expect(await screen.findByTestId("sign-in")).toBeTruthy();
    expect(screen.getByText(/ask the administrators for an invitation/)).toBeTruthy();
    expect(screen.queryByTestId("outside-switch")).toBeNull();
  });

  it("says that one signs in to report a mistake", async () => {
    serve({ [read]: { body: page } });
    await renderScreen(<Outside slug="lanterns" onSignedIn={() => Promise.resolve()} />, { at: "/submit/lanterns/errata", path: "/submit/:slug/errata" });
    expect(await screen.findByText("Sign in to report a mistake and see what was decided.")).toBeTruthy();
    expect(screen.getByTestId("outside-switch")).toBeTruthy();
  });
});
