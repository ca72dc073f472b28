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
  currencies: ["EUR", "USD"],
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
    const budget = await screen.findByTestId("budget");
    expect(budget.textContent).toContain("2.5 of 10 USD spent");
    expect(budget.textContent).toContain("Before each call the most that it can cost is reserved.");
    expect(within(screen.getByTestId("by-model")).getByText("2.5 USD")).not.toBeNull();
    expect(screen.getByTestId("offers").textContent).toContain("server not configured");
    expect((await screen.findByTestId("call-7")).textContent).toContain("In doubt");
    expect(screen.queryByTestId("set-budget")).toBeNull();
    expect(screen.queryByTestId("add-offer")).toBeNull();
    expect(screen.queryByTestId("remove-offer-1")).toBeNull();
  });

  it("shows nothing without a currency, in both tables", async () => {
    const rows = [{ ...call, state: "failed", lost: false, cost: "0" }];
    const by_model = [{ ...spending.by_model[0], state: "failed", cost: "0" }];
    serve({
      ...replies,
      "GET /api/v1/benchmarks/x/spending": { body: { ...spending, by_model } },
      "GET /api/v1/benchmarks/x/calls": { body: { results: rows, next: null, total: 1, total_is_capped: false } },
    });
    await renderScreen(<SpendingPage />, at);
    const last = (row: Element | null | undefined, n: number) => [...(row?.querySelectorAll("td.number") ?? [])].at(n)?.textContent;
    expect(last(await screen.findByTestId("call-7"), -1)).toBe("0");
    expect(last(screen.getByTestId("by-model").querySelector("tr"), -1)).toBe("0");
  });

  it("looks again while a call is in progress, and not afterwards", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      const server = serve({
        ...replies,
        "GET /api/v1/benchmarks/x/spending": { body: { ...spending, by_model: [{ ...spending.by_model[0], state: "sent" }] } },
        "GET /api/v1/benchmarks/x/calls": { body: { results: [{ ...call, lost: false }], next: null, total: 1, total_is_capped: false } },
      });
      await renderScreen(<SpendingPage />, at);
      expect((await screen.findByTestId("call-7")).textContent).toContain("In progress");
      const settled = { ...call, state: "answered", lost: false, cost: "0.1" };
      server.replies["GET /api/v1/benchmarks/x/calls"] = { body: { results: [settled], next: null, total: 1, total_is_capped: false } };
      server.replies["GET /api/v1/benchmarks/x/spending"] = { body: spending };
      await vi.advanceTimersByTimeAsync(3100);
      await vi.waitFor(() => expect(screen.getByTestId("call-7").textContent).toContain("Answered"));
      await vi.advanceTimersByTimeAsync(3100);
      const asked = server.asked.length;
      await vi.advanceTimersByTimeAsync(10_000);
      expect(server.asked.length).toBe(asked);
    } finally {
      vi.useRealTimers();
    }
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
    await userEvent.type(screen.getByTestId("budget-ceiling"), "12,5");
    await userEvent.click(screen.getByTestId("save-budget"));
    expect(screen.getByText(/Enter an amount such as 2\.5/)).not.toBeNull();
    expect(server.asked.some((one) => one.method === "PUT")).toBe(false);
    await userEvent.clear(screen.getByTestId("budget-ceiling"));
    await userEvent.type(screen.getByTestId("budget-ceiling"), "12.5");
    await userEvent.selectOptions(screen.getByTestId("budget-currency"), "EUR · Euro");
    await userEvent.click(screen.getByTestId("save-budget"));
    await vi.waitFor(() => expect(server.asked.find((one) => one.method === "PUT")?.body).toMatchObject({ ceiling: "12.5", currency: "EUR" }));
    await userEvent.click(screen.getByTestId("add-offer"));
    const form = within(screen.getByTestId("offer-form"));
    await userEvent.click(form.getByTestId("save-offer"));
    expect(form.getByText("Enter the model’s name.")).not.toBeNull();
    expect(form.getAllByText(/Enter an amount such as 2\.5/).length).toBe(2);
    expect(server.asked.some((one) => one.method === "POST")).toBe(false);
    await userEvent.type(form.getByTestId("offer-model"), "large");
    await userEvent.type(form.getByTestId("offer-million_in"), "2.5");
    await userEvent.type(form.getByTestId("offer-million_out"), "10");
    await userEvent.click(form.getByTestId("save-offer"));
    await vi.waitFor(() =>
      expect(server.asked.find((one) => one.method === "POST")?.body).toMatchObject({ server: "gpt", model: "large", million_in: "2.5", million_out: "10", per_picture: "0" }),
    );
  });
});

describe("Offers", () => {
  it("are removed by the owner, after a second click", async () => {
    const server = serve({
      ...replies,
      "GET /api/v1/session": session("offer_withdraw"),
      "POST /api/v1/offers/1/withdraw": { body: spending.offers[0] },
    });
    await renderScreen(<SpendingPage />, at);
    await userEvent.click(await screen.findByTestId("remove-offer-1"));
    expect(server.asked.some((one) => one.method === "POST")).toBe(false);
    server.replies["GET /api/v1/benchmarks/x/spending"] = { body: { ...spending, offers: [] } };
    await userEvent.click(screen.getByTestId("remove-offer-1-confirm"));
    await vi.waitFor(() => expect(screen.queryByTestId("offer-1")).toBeNull());
    expect(server.asked.find((one) => one.method === "POST")?.path).toBe("/api/v1/offers/1/withdraw");
  });
});

describe("CallPage", () => {
  it("shows what was sent and what came back", async () => {
    const body = { ...call, state: "answered", lost: false, cost: "0.1", actor: null, prompt_id: null, request_sha256: "00", request: { model: "large", messages: [] }, reply: "B, because", finish: "stop", served_model: "large" };
    serve({ ...replies, "GET /api/v1/benchmarks/x/calls/7": { body } });
    await renderScreen(<CallPage />, { path: "/b/:slug/spending/calls/:callId", at: "/b/x/spending/calls/7" });
    expect((await screen.findByText("B, because")).tagName).toBe("PRE");
    expect(screen.getByText(/Sent 1 time, 10 tokens in, – out\. Reserved at most: 0\.5 USD\. Cost: 0\.1 USD/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Model calls" }).className).toContain("button");
  });

  it("says that another benchmark's call does not exist, and offers no repeat", async () => {
    serve(replies);
    await renderScreen(<CallPage />, { path: "/b/:slug/spending/calls/:callId", at: "/b/x/spending/calls/8" });
    expect((await screen.findByTestId("problem")).textContent).toBe("This does not exist, or you don’t have access to it.");
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Not found");
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });
});
