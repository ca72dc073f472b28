import "fake-indexeddb/auto";
import { act, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { call } from "@/api/client";
import { requiredConsent } from "@/api/requiredConsent";
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
  requiredConsent.reset();
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

  it("puts the consent text in front of open work and sends what was on its way once agreed", async () => {
    const claim = "POST /api/v1/benchmarks/x/packages/claim";
    const words = { "zh-Hans": "文", "zh-Hant": "文", en: "What becomes of it" };
    const text = { version: 1, text: words, text_sha256: "ab", eligibility: [], donors: null, given_at: null, needed: true };
    const server = serve({
      "GET /api/v1/session": { body: session },
      "GET /api/v1/benchmarks/x/consent": { body: text },
      "POST /api/v1/benchmarks/x/consent": { body: { ...text, given_at: "2026-11-21T08:00:00Z" } },
      [claim]: { status: 403, body: { code: "consent_missing", params: { benchmark: "x" }, detail: "" } },
    });
    const { container } = await renderScreen(<Gate />);
    await vi.waitFor(() => expect(screen.queryByRole("status")).toBeNull());
    const claimed = call("package_claim", { path: { b: "x" }, body: { kind: "captions" } });
    expect(await screen.findByText("What becomes of it")).toBeTruthy();
    expect(container.querySelector("[inert]")).not.toBeNull();
    server.replies[claim] = { body: { id: 5 } };
    await userEvent.click(screen.getByTestId("consent-give"));
    await expect(claimed).resolves.toMatchObject({ id: 5 });
    await vi.waitFor(() => expect(screen.queryByTestId("consent-overlay")).toBeNull());
    expect(container.querySelector("[inert]")).toBeNull();
  });

  it("closes an open dialog while something is in front of it", async () => {
    HTMLDialogElement.prototype.showModal = function () {
      this.open = true;
    };
    HTMLDialogElement.prototype.close = function () {
      this.open = false;
    };
    serve({ "GET /api/v1/session": { body: session } });
    const { container } = await renderScreen(<Gate />);
    await vi.waitFor(() => expect(screen.queryByRole("status")).toBeNull());
    const dialog = document.createElement("dialog");
    dialog.open = true;
    container.firstElementChild?.append(dialog);
    act(() => signals.signedOut());
    await screen.findByTestId("sign-in");
    expect(dialog.open).toBe(false);
    act(() => signals.signedIn());
    await vi.waitFor(() => expect(container.querySelector("[inert]")).toBeNull());
    expect(dialog.open).toBe(true);
  });

  it("offers the text again after it was put aside", async () => {
    serve({ "GET /api/v1/session": { body: session } });
    await renderScreen(<Gate />);
    act(() => {
      void requiredConsent.request("x");
    });
    await userEvent.click(await screen.findByTestId("consent-not-now"));
    expect(await screen.findByTestId("consent-dismissed")).toBeTruthy();
    await userEvent.click(screen.getByText("Read consent form"));
    expect(await screen.findByTestId("consent-overlay")).toBeTruthy();
  });

  it("asks again who one is when an answer tells of other roles", async () => {
    const server = serve({ "GET /api/v1/session": { body: session, headers: { "X-Grants": "aaaaaaaaaaaa" } } });
    await renderScreen(<Gate />);
    await vi.waitFor(() => expect(screen.queryByRole("status")).toBeNull());
    const asked = () => server.asked.filter((one) => one.path === "/api/v1/session").length;
    expect(asked()).toBe(1);
    server.replies["GET /api/v1/session"] = { body: session, headers: { "X-Grants": "bbbbbbbbbbbb" } };
    server.replies["GET /api/v1/tokens"] = { body: [], headers: { "X-Grants": "bbbbbbbbbbbb" } };
    await act(() => call("token_list", {}));
    await vi.waitFor(() => expect(asked()).toBe(2));
  });
});
