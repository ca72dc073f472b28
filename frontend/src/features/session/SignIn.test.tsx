import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { SignIn } from "./SignIn";

const logIn = "POST /_allauth/browser/v1/auth/login";
const config = "GET /_allauth/browser/v1/config";

afterEach(() => vi.unstubAllGlobals());

describe("SignIn", () => {
  it("fetches the anti-forgery cookie, sends name and password, and lets the person in", async () => {
    const server = serve({ [config]: { body: {} }, [logIn]: { body: {} } });
    const onSignedIn = vi.fn(() => Promise.resolve());
    await renderScreen(<SignIn onSignedIn={onSignedIn} />);
    await userEvent.type(screen.getByTestId("username"), " li.lei ");
    await userEvent.type(screen.getByTestId("password"), "secret words");
    await userEvent.click(screen.getByTestId("sign-in"));
    await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
    const sent = server.asked.filter((request) => request.path.startsWith("/_allauth"));
    expect(sent.map((request) => `${request.method} ${request.path}`)).toEqual([config, logIn]);
    expect(sent[1]?.body).toEqual({ username: "li.lei", password: "secret words" });
  });

  it.each([
    ["keeps its language for an account that has chosen none", false, [{ language: "en" }]],
    ["leaves the language that the account has chosen", true, []],
  ])("%s", async (_, language_chosen, kept) => {
    const session = { body: { person: { id: 1, username: "li.lei", name: "Li Lei", language: "zh-Hans", language_chosen } } };
    const server = serve({ [config]: { body: {} }, [logIn]: { body: {} }, "GET /api/v1/session": session, "PATCH /api/v1/session": session });
    const onSignedIn = vi.fn(() => Promise.resolve());
    await renderScreen(<SignIn onSignedIn={onSignedIn} />);
    await userEvent.type(screen.getByTestId("username"), "li.lei");
    await userEvent.type(screen.getByTestId("password"), "secret words");
    await userEvent.click(screen.getByTestId("sign-in"));
    await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
    expect(server.asked.filter(({ method }) => method === "PATCH").map(({ body }) => body)).toEqual(kept);
  });

  it.each([
    [400, "sign_in_refused"],
    [429, "sign_in_throttled"],
    [403, "csrf_failed"],
  ])("says what to do after a %i", async (status, code) => {
    serve({ [config]: { body: {} }, [logIn]: { status, body: {} } });
    const onSignedIn = vi.fn(() => Promise.resolve());
    await renderScreen(<SignIn onSignedIn={onSignedIn} />);
    await userEvent.type(screen.getByTestId("username"), "li.lei");
    await userEvent.type(screen.getByTestId("password"), "wrong");
    await userEvent.click(screen.getByTestId("sign-in"));
    expect((await screen.findByTestId("problem")).dataset.code).toBe(code);
    expect(onSignedIn).not.toHaveBeenCalled();
  });

  it("shows log-ins only where the server gives them", async () => {
    serve({ "GET /api/v1/demo-log-ins": { body: [{ username: "curator", password: "p", role: "curator" }] }, [config]: { body: {} }, [logIn]: { body: {} } });
    const onSignedIn = vi.fn(() => Promise.resolve());
    const { unmount } = await renderScreen(<SignIn onSignedIn={onSignedIn} />);
    await userEvent.click(await screen.findByTestId("demo-curator"));
    await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
    unmount();
    serve({});
    await renderScreen(<SignIn onSignedIn={onSignedIn} />);
    await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
    expect(screen.queryByTestId("demo-log-ins")).toBeNull();
  });

  it("names the person whose session ended and asks for the password", async () => {
    serve({});
    await renderScreen(<SignIn onSignedIn={() => Promise.resolve()} again="li.lei" />);
    expect(screen.getByTestId<HTMLInputElement>("username").value).toBe("li.lei");
    expect(document.activeElement).toBe(screen.getByTestId("password"));
  });
});
