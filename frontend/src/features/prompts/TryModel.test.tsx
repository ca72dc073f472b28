import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { TryModel } from "./TryModel";

const offer = (id: number, more: object = {}) => ({
  id,
  server: "big",
  model: `m${String(id)}`,
  currency: "USD",
  million_in: "1",
  million_out: "1",
  per_picture: "0",
  at: "2026-01-01T00:00:00Z",
  configured: true,
  ...more,
});
const price = { estimate: "0.5", currency: "USD", left: "2", covered: true, picture: true, worker_alive: true };
const trial = { id: 9, server: "big", model: "m1", state: "queued", error_code: null, error_params: {}, limited_until: null, waits_until: null, unknown_calls: [], worker_alive: true, created_at: "2026-01-01T00:00:00Z", reply: null };
const reply = {
  call_id: 31,
  state: "answered",
  text: "a lantern",
  finish: "stop",
  served_model: "m1",
  tokens_in: 10,
  tokens_out: 5,
  cost: "0.005",
  cost_is_estimate: false,
  currency: "USD",
  ms: 900,
  paid_before: false,
};
const preview = { messages: [{ role: "user" as const, parts: [{ text: null }, { text: "What?" }] }], sha256: "b", missing: [], item: { label: "vqa-7", parts: 1, sides: ["local"] } };
const choice = { name: "cvlue-vqa", language: "en" as const, no: 1, item: 7, part: 0, side: "" };

const scrollIntoView = vi.fn();
beforeEach(() => {
  scrollIntoView.mockClear();
  Element.prototype.scrollIntoView = scrollIntoView;
});
afterEach(() => vi.unstubAllGlobals());

async function open(replies: Parameters<typeof serve>[0] = {}, more: Partial<Parameters<typeof TryModel>[0]> = {}, at = "/") {
  const server = serve({
    "GET /api/v1/benchmarks/demo/spending": { body: { budget: null, by_model: [], offers: [offer(1), offer(2), offer(3, { configured: false })], servers: [] } },
    "POST /api/v1/benchmarks/demo/answer-prices": { body: price },
    "POST /api/v1/benchmarks/demo/answers": { status: 202, body: trial },
    "GET /api/v1/answers/9": { body: { ...trial, state: "done", reply } },
    ...replies,
  });
  const { router } = await renderScreen(<TryModel slug="demo" choice={choice} preview={preview} {...more} />, { at });
  return { ...server, router };
}

test("the price is shown before anything is sent, and the reply with its tokens and cost", async () => {
  const { asked } = await open();
  expect((await screen.findByTestId("try-price")).textContent).toContain("at most 0.5 USD");
  expect(screen.getByTestId("try-model").querySelectorAll("option").length).toBe(2);
  const user = userEvent.setup();
  await user.selectOptions(screen.getByTestId("try-model"), "m2 · big");
  await user.selectOptions(screen.getByTestId("try-tokens"), "128");
  await user.click(screen.getByTestId("try-picture"));
  await waitFor(() => expect(asked.at(-1)?.body).toMatchObject({ model: "m2", server: "big", max_tokens: 128, picture: false, item: 7 }));
  expect(asked.some((one) => one.path.endsWith("/answers"))).toBe(false);
  await user.click(screen.getByTestId("try-send"));
  expect((await screen.findByTestId("trial-text")).textContent).toBe("a lantern");
  expect(screen.getByTestId("trial-facts").textContent).toContain("10 tokens in, 5 out · paid: 0.005 USD");
  const sent = asked.find((one) => one.path.endsWith("/answers"));
  expect(sent?.body).toMatchObject({ model: "m2", max_tokens: 128, picture: false });
});

test("without enough money there is a sentence instead of the button", async () => {
  await open({ "POST /api/v1/benchmarks/demo/answer-prices": { body: { ...price, covered: false, left: "0.1" } } });
  expect((await screen.findByTestId("try-price")).textContent).toContain("the budget has 0.1 USD left");
  expect(screen.queryByTestId("try-send")).toBeNull();
});

test.each([
  ["a failure is named by its sentence", { state: "failed", error_code: "call_timed_out", error_params: { server: "big" } }, "did not finish its reply in time"],
  ["a missing worker is named", { state: "queued", worker_alive: false }, "no worker for model servers is running"],
  ["a limit of the server is named, with the last try", { state: "queued", limited_until: new Date(Date.now() + 570_000).toISOString() }, "Nothing was paid so far. It is tried again; the last try is in 9 minutes."],
  ["an equal request in progress is named", { state: "running", waits_until: new Date(Date.now() + 115_000).toISOString() }, "that call counts as paid, and the prompt is sent again in 1 minute."],
  ["a request without a reply is named with its call", { state: "done", reply, unknown_calls: [30] }, "An earlier request got no reply and counts as paid, because it may be billed. Call 30"],
  ["the model is named with its reply", { state: "done", reply }, "Reply · m1 · big"],
  ["a cost without a usage is the highest", { state: "done", reply: { ...reply, tokens_out: null, cost_is_estimate: true } }, "– out · paid: 0.005 USD · the highest cost, because the server did not say what it used"],
  ["a call that was made earlier costs nothing", { state: "done", reply: { ...reply, paid_before: true } }, "nothing was paid now"],
  ["a refusal has no text", { state: "done", reply: { ...reply, text: null, state: "refused" } }, "content filter refused"],
])("%s", async (_, change, words) => {
  await open({ "GET /api/v1/answers/9": { body: { ...trial, ...change } } });
  await userEvent.setup().click(await screen.findByTestId("try-send"));
  await waitFor(() => expect(screen.getByTestId("trial").textContent).toContain(words));
});

test("too many replies under way are named, and nothing is sent", async () => {
  await open({ "POST /api/v1/benchmarks/demo/answers": { status: 409, body: { code: "too_many_trials", detail: "", params: { open: 3, maximum: 3 } } } });
  await userEvent.setup().click(await screen.findByTestId("try-send"));
  expect(await screen.findByText(/Already waiting for a reply: 3 \(the maximum is 3\)/)).not.toBeNull();
  expect(screen.queryByTestId("trial")).toBeNull();
});

test("without an item for every variable nothing can be sent", async () => {
  const { asked } = await open({}, { preview: { ...preview, missing: ["question"] } });
  expect(await screen.findByTestId("try-needs-item")).not.toBeNull();
  expect(asked.some((one) => one.path.endsWith("/answer-prices"))).toBe(false);
});

test("while a reply is awaited the same is not sent again, and something else is", async () => {
  await open({ "GET /api/v1/answers/9": { body: trial } });
  const user = userEvent.setup();
  await user.click(await screen.findByTestId("try-send"));
  expect((await screen.findByTestId("trial")).textContent).toContain("Waiting for the model…");
  expect(scrollIntoView.mock.contexts.at(-1)).toBe(screen.getByTestId("trial"));
  await waitFor(() => expect(screen.getByTestId("try-send").getAttribute("aria-busy")).toBe("true"));
  await user.selectOptions(screen.getByTestId("try-tokens"), "128");
  await waitFor(() => expect(screen.getByTestId("try-send").getAttribute("aria-busy")).toBeNull());
});

test("a page that is loaded again waits for the same reply, and shows the new budget once it is there", async () => {
  const { asked, replies } = await open({ "GET /api/v1/answers/9": { body: trial } }, {}, "/?trial=9");
  expect((await screen.findByTestId("trial")).textContent).toContain("Waiting for the model…");
  expect((await screen.findByTestId("try-send")).getAttribute("aria-busy")).toBe("true");
  expect(scrollIntoView).not.toHaveBeenCalled();
  replies["GET /api/v1/answers/9"] = { body: { ...trial, state: "done", reply } };
  replies["POST /api/v1/benchmarks/demo/answer-prices"] = { body: { ...price, left: "1.995" } };
  await waitFor(() => expect(screen.getByTestId("trial").textContent).toContain("a lantern"), { timeout: 3000 });
  await waitFor(() => expect(screen.getByTestId("try-price").textContent).toContain("1.995 USD left in the budget"));
  expect(asked.some((one) => one.path.endsWith("/answers") && one.method === "POST")).toBe(false);
  expect(screen.getByTestId("try-send").getAttribute("aria-busy")).toBeNull();
});

test("the address names what was sent, and the highest cost is explained", async () => {
  const { router } = await open();
  expect((await screen.findByTestId("try-price")).textContent).toContain("This amount is reserved until the reply is there; then only what was used is paid.");
  await userEvent.setup().click(screen.getByTestId("try-send"));
  await screen.findByTestId("trial-text");
  expect(router.state.location.search).toBe("?trial=9");
});
