import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { CallPage } from "./CallPage";
import { SpendingPage } from "./SpendingPage";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const session = (...operations: string[]) => ({
  body: {
    person: { id: 1, username: "me", name: "Me", language: "en" },
    is_owner: false,
    benchmarks: [{ slug: "x", title: localised("X"), roles: [], operations: ["spending_show", "call_list", "call_show", ...operations], kinds: [], consent: { needed: false, given: false }, teams: [] }],
    build: "one",
  },
});
const call = {
  id: 7,
  purpose: "judges",
  server: "gpt",
  model: "large",
  sample: 0,
  state: "sent",
  lost: true,
  code: "",
  tries: 1,
  tokens_in: 10,
  tokens_out: null,
  estimate: "0.5",
  cost: null,
  cost_is_estimate: false,
  currency: "USD",
  ms: null,
  sent_at: "2026-11-20T08:00:00Z",
  settled_at: null,
};
const spending = {
  budget: { currency: "USD", ceiling: "10", spent: "2.5", reserved: "0.5", left: "7" },
  by_model: [{ server: "gpt", model: "large", state: "answered", calls: 3, tokens_in: 30, tokens_out: 6, cost: "2.5" }],
  offers: [{ id: 1, server: "gpt", model: "large", currency: "USD", million_in: "2.5", million_out: "10", per_picture: "0", at: "2026-11-20T08:00:00Z", configured: false }],
  servers: ["gpt"],
};
const replies = {
  "GET /api/v1/session": session(),
  "GET /api/v1/benchmarks/x/spending": { body: spending },
  "GET /api/v1/benchmarks/x/calls": { body: { results: [call], next: null, total: 1, total_is_capped: false } },
};
const at = { path: "/b/:slug/spending", at: "/b/x/spending" };

afterEach(() => vi.unstubAllGlobals());

describe("SpendingPage", () => {
  it("shows what was spent, by which models, and calls in doubt as such", async () => {
    serve(replies);
    await renderScreen(<SpendingPage />, at);
    expect((await screen.findByTestId("budget")).textContent).toContain("2.5 of 10 USD spent");
    expect(screen.getByTestId("offers").textContent).toContain("server not configured");
    expect((await screen.findByTestId("call-7")).textContent).toContain("In doubt");
    expect(screen.queryByTestId("set-budget")).toBeNull();
    expect(screen.queryByTestId("add-offer")).toBeNull();
  });

  it("marks a cost that is the highest", async () => {
    const settled = { ...call, state: "answered", lost: false, cost: "0.5", cost_is_estimate: true };
    serve({ ...replies, "GET /api/v1/benchmarks/x/calls": { body: { results: [settled], next: null, total: 1, total_is_capped: false } } });
    await renderScreen(<SpendingPage />, at);
    expect((await screen.findByTestId("call-7")).textContent).toContain("≤ 0.5 USD");
    expect(screen.getByTitle(/the highest cost/)).not.toBeNull();
  });

  it("lets the owner set a ceiling and offer a model", async () => {
    const server = serve({
      ...replies,
      "GET /api/v1/session": session("spending_set", "offer_add"),
      "GET /api/v1/benchmarks/x/spending": { body: { ...spending, budget: null } },
      "PUT /api/v1/benchmarks/x/spending": { body: spending },
      "POST /api/v1/offers": { status: 201, body: spending.offers[0] },
    });
    await renderScreen(<SpendingPage />, at);
    await userEvent.click(await screen.findByTestId("set-budget"));
    await userEvent.type(screen.getByTestId("budget-ceiling"), "12.5");
    await userEvent.click(screen.getByTestId("save-budget"));
    await vi.waitFor(() => expect(server.asked.find((one) => one.method === "PUT")?.body).toMatchObject({ ceiling: "12.5", currency: "USD" }));
    await userEvent.click(screen.getByTestId("add-offer"));
    const form = within(screen.getByTestId("offer-form"));
    await userEvent.type(form.getByTestId("offer-model"), "large");
    await userEvent.type(form.getByTestId("offer-million_in"), "2.5");
    await userEvent.type(form.getByTestId("offer-million_out"), "10");
    await userEvent.click(form.getByTestId("save-offer"));
    await vi.waitFor(() =>
      expect(server.asked.find((one) => one.method === "POST")?.body).toMatchObject({ server: "gpt", model: "large", million_in: "2.5", million_out: "10", per_picture: "0" }),
    );
  });
});

describe("CallPage", () => {
  it("shows what was sent and what came back", async () => {
    const body = { ...call, state: "answered", lost: false, cost: "0.1", actor: null, prompt_id: null, request_sha256: "00", request: { model: "large", messages: [] }, reply: "B, because", finish: "stop", served_model: "large" };
    serve({ ...replies, "GET /api/v1/calls/7": { body } });
    await renderScreen(<CallPage />, { path: "/b/:slug/spending/calls/:callId", at: "/b/x/spending/calls/7" });
    expect((await screen.findByText("B, because")).tagName).toBe("PRE");
    expect(screen.getByText(/Cost: 0.1 USD/)).toBeTruthy();
  });
});
