import "fake-indexeddb/auto";
import { act, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { signals } from "@/api/signals";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Gate } from "./Gate";

const session = {
  person: { id: 1, username: "li.lei", name: "李雷", language: "en" },
  is_owner: false,
  benchmarks: [],
  build: "one",
};

afterEach(() => {
  vi.unstubAllGlobals();
  signals.signedIn();
});

describe("Gate", () => {
  it("asks strangers to sign in, and lets them in afterwards without changing the address", async () => {
    const server = serve({
      "GET /api/v1/session": { status: 401, body: { code: "not_signed_in", params: {}, detail: "" } },
      "GET /_allauth/browser/v1/config": { body: {} },
      "POST /_allauth/browser/v1/auth/login": { body: {} },
    });
    const { router } = await renderScreen(<Gate />, { at: "/b/x/pictures?state=received", path: "/b/x/pictures" });
    await userEvent.type(await screen.findByTestId("username"), "li.lei");
    await userEvent.type(screen.getByTestId("password"), "secret");
    server.replies["GET /api/v1/session"] = { body: session };
    await userEvent.click(screen.getByTestId("sign-in"));
    await vi.waitFor(() => expect(screen.queryByTestId("sign-in")).toBeNull());
    expect(router.state.location.pathname + router.state.location.search).toBe("/b/x/pictures?state=received");
  });

  it("stands in front when the session ends, and keeps what was open", async () => {
    serve({ "GET /api/v1/session": { body: session } });
    const { container } = await renderScreen(<Gate />);
    // Past "loading": the frame stands.
    await vi.waitFor(() => expect(screen.queryByRole("status")).toBeNull());
    expect(container.querySelector("[inert]")).toBeNull();
    act(() => signals.signedOut());
    expect(await screen.findByTestId("sign-in")).toBeTruthy();
    expect(screen.getByTestId<HTMLInputElement>("username").value).toBe("li.lei");
    expect(container.querySelector("[inert]")).not.toBeNull();
  });

  it("offers to try again when the server cannot be reached", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed")));
    await renderScreen(<Gate />);
    expect((await screen.findByTestId("problem", {}, { timeout: 4000 })).dataset.code).toBe("no_connection");
    expect(screen.getByText("Try again")).toBeTruthy();
  });
});
