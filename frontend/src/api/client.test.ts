// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { serve } from "@/testing/server";
import { call, newClientKey } from "./client";
import { requiredConsent } from "./requiredConsent";
import { ApiError } from "./errors";
import { addressOf } from "./request";
import { signals } from "./signals";

afterEach(() => {
  vi.unstubAllGlobals();
  document.cookie = "csrftoken=; max-age=0";
  signals.signedIn();
  signals.reached(true);
});

describe("call", () => {
  it("fills the address, sends JSON with the anti-forgery token and returns the answer", async () => {
    document.cookie = "csrftoken=token1";
    const { asked } = serve({ "POST /api/v1/packages/7/hand-over": { body: { id: 7, state: "handed_over" } } });
    const handed = await call("package_hand_over", { path: { id: 7 }, body: { revision: 3, client_key: "k" } });
    expect(handed.state).toBe("handed_over");
    expect(asked).toMatchObject([{ method: "POST", body: { revision: 3, client_key: "k" } }]);
    const [, init] = vi.mocked(fetch).mock.calls[0] ?? [];
    expect(init?.headers).toMatchObject({ "X-CSRFToken": "token1", "Content-Type": "application/json" });
  });

  it("throws the server's error with its code, params and whole body", async () => {
    serve({ "GET /api/v1/images/7": { status: 409, body: { code: "stale_revision", params: { revision: 4 }, detail: "…", mine: 1, theirs: 2, base: 0 } } });
    const error = await call("image_show", { path: { id: 7 } }).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, code: "stale_revision", params: { revision: 4 }, body: { mine: 1, theirs: 2, base: 0 } });
  });

  it("names a proxy's page by its status", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>Bad gateway</html>", { status: 502 })));
    await expect(call("session_show", {})).rejects.toMatchObject({ code: "server_failed", status: 502, isPassing: true });
  });

  it("says offline when no answer comes, and online when one comes again", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed")));
    await expect(call("session_show", {})).rejects.toMatchObject({ code: "no_connection", isOffline: true });
    expect(signals.snapshot().online).toBe(false);
    serve({ "GET /api/v1/session": { body: {} } });
    await call("session_show", {});
    expect(signals.snapshot().online).toBe(true);
  });

  it("puts the sign-in page in front when the session has ended", async () => {
    serve({ "GET /api/v1/session": { status: 401, body: { code: "not_signed_in", params: {}, detail: "" } } });
    await expect(call("session_show", {})).rejects.toMatchObject({ status: 401 });
    expect(signals.snapshot().signedOut).toBe(true);
  });

  it("offers to reload when the server's build changes", async () => {
    serve({ "GET /api/v1/session": { body: {}, headers: { "X-Build": "one" } } });
    await call("session_show", {});
    expect(signals.snapshot().newBuild).toBe(false);
    serve({ "GET /api/v1/session": { body: {}, headers: { "X-Build": "two" } } });
    await call("session_show", {});
    expect(signals.snapshot().newBuild).toBe(true);
  });
});

describe("addressOf", () => {
  it("leaves empty query values out and encodes the rest", () => {
    expect(addressOf("image_list", { path: { b: "a/b" }, query: { state: "", category: "舞狮", cursor: null, page_size: 60 } })).toBe(
      "/api/v1/benchmarks/a%2Fb/images?category=%E8%88%9E%E7%8B%AE&page_size=60",
    );
  });

  it("refuses to build an address without its parameters", () => {
    expect(() => addressOf("image_show", {})).toThrow("id");
  });
});

describe("newClientKey", () => {
  it("is a version 4 UUID also where randomUUID is missing", () => {
    const real = crypto.getRandomValues.bind(crypto);
    vi.stubGlobal("crypto", { getRandomValues: real });
    const key = newClientKey();
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(newClientKey()).not.toBe(key);
  });
});

describe("grants", () => {
  it("are noticed when an answer carries others than the one before, not at the first", async () => {
    const before = signals.snapshot().grantsChanged;
    for (const digest of ["aaaaaaaaaaaa", "aaaaaaaaaaaa", "bbbbbbbbbbbb"]) {
      serve({ "GET /api/v1/session": { body: {}, headers: { "X-Grants": digest } } });
      await call("session_show", {});
    }
    expect(signals.snapshot().grantsChanged).toBe(before + 1);
    signals.signedOut();
    serve({ "GET /api/v1/session": { body: {}, headers: { "X-Grants": "cccccccccccc" } } });
    await call("session_show", {});
    expect(signals.snapshot().grantsChanged).toBe(before + 1);
  });
});

describe("a contribution without consent", () => {
  const claim = "POST /api/v1/benchmarks/lanterns/packages/claim";
  const refusal = { status: 403, body: { code: "consent_missing", params: { benchmark: "lanterns" }, detail: "" } };
  const send = () => call("package_claim", { path: { b: "lanterns" }, body: { kind: "captions" } });

  afterEach(() => requiredConsent.reset());

  it("waits for the person and is sent again when they agree", async () => {
    const server = serve({ [claim]: refusal });
    const sent = send();
    await vi.waitFor(() => expect(requiredConsent.snapshot().required).toBe("lanterns"));
    server.replies[claim] = { body: { id: 7 } };
    requiredConsent.accept("lanterns");
    await expect(sent).resolves.toMatchObject({ id: 7 });
    expect(server.asked.map((request) => request.body)).toEqual([{ kind: "captions" }, { kind: "captions" }]);
  });

  it("fails as it came when they do not, and so do later ones until they come back to the text", async () => {
    const server = serve({ [claim]: refusal });
    const sent = send();
    await vi.waitFor(() => expect(requiredConsent.snapshot().required).toBe("lanterns"));
    requiredConsent.dismiss();
    await expect(sent).rejects.toMatchObject({ code: "consent_missing" });
    await expect(send()).rejects.toMatchObject({ code: "consent_missing" });
    expect(requiredConsent.snapshot()).toMatchObject({ required: null, dismissed: "lanterns" });
    expect(server.asked).toHaveLength(2);
    requiredConsent.reopen("lanterns");
    expect(requiredConsent.snapshot()).toMatchObject({ required: "lanterns", dismissed: null });
  });
});
