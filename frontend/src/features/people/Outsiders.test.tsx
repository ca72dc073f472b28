import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Outsiders } from "./Outsiders";

const title = { "zh-Hans": "X", "zh-Hant": "X", en: "X" };
const row = (id: number, username: string, changes: object = {}) => ({
  person: { id, name: username.toUpperCase() },
  username,
  since: "2026-11-01T08:00:00Z",
  invited_by: null,
  barred_at: null,
  terms_accepted: true,
  crew: "",
  submissions: 0,
  last_submission_at: null,
  available_actions: ["outsider_bar"],
  ...changes,
});
const LIST = "GET /api/v1/benchmarks/x/outsiders";
const list = (...results: unknown[]) => ({ body: { results, next: null, total: null, total_is_capped: false } });

afterEach(() => vi.unstubAllGlobals());

async function open(replies: Parameters<typeof serve>[0], at = "/b/x/people/outsiders") {
  const session = {
    body: {
      person: { id: 1, username: "me", name: "Me", language: "en" },
      is_owner: false,
      benchmarks: [{ slug: "x", title, roles: [], operations: ["outsider_list", "person_list"], kinds: [], consent: { needed: false, given: false }, teams: [] }],
      build: "one",
    },
  };
  const server = serve({ "GET /api/v1/session": session, ...replies });
  await renderScreen(<Outsiders />, { at, path: "/b/:slug/people/outsiders" });
  return server;
}

it("shows who submits from outside, and bars after a question", async () => {
  const active = row(7, "han", { crew: "Lanterns", submissions: 3, last_submission_at: "2026-11-20T08:00:00Z", invited_by: { id: 1, name: "Me" } });
  const server = await open({ [LIST]: list(active), "POST /api/v1/benchmarks/x/outsiders/7/bar": { body: row(7, "han") } });
  const line = await screen.findByTestId("outsider-han");
  for (const text of ["HAN", "Lanterns", "3", "invited by Me"]) expect(line.textContent).toContain(text);
  await userEvent.click(screen.getByTestId("bar-han"));
  expect(server.asked.some(({ method }) => method === "POST")).toBe(false);
  server.replies[LIST] = list(row(7, "han", { barred_at: "2026-11-21T08:00:00Z", available_actions: ["outsider_readmit"] }));
  await userEvent.click(screen.getByTestId("bar-han-go"));
  expect(await screen.findByTestId("readmit-han")).toBeTruthy();
  expect(screen.getByTestId("outsider-han").textContent).toContain("Barred");
});

it("readmits, and keeps its filter in the address", async () => {
  const barred = row(7, "han", { barred_at: "2026-11-21T08:00:00Z", available_actions: ["outsider_readmit"] });
  const server = await open({ [LIST]: list(barred), "POST /api/v1/benchmarks/x/outsiders/7/readmit": { body: row(7, "han") } }, "/b/x/people/outsiders?barred=true");
  await userEvent.click(await screen.findByTestId("readmit-han"));
  await vi.waitFor(() => expect(server.asked.some(({ path }) => path.endsWith("/7/readmit"))).toBe(true));
  expect(server.asked.find(({ path }) => path.endsWith("/outsiders"))?.query.get("barred")).toBe("true");
});
