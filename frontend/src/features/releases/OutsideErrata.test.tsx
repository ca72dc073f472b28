import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { OutsideErrata } from "./OutsideErrata";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const page = (participation: string, mayJoin = true) => ({
  body: {
    benchmark: { slug: "x", title: localised("X") },
    url: "/p/x/",
    may_join: mayJoin,
    participation,
    terms: { text: localised(""), sha256: "", for_files: false, accepted: true },
  },
});
const show = "GET /api/v1/benchmarks/x/submit";
const row = {
  id: 4,
  no: 2,
  state: "rejected",
  release: { id: 7, label: "captions-v1" },
  item: "cap-000012",
  item_id: null,
  text: "It is a panda.",
  reported_by: { id: 1, name: "Me" },
  reported_at: "2026-11-20T10:00:00Z",
  events: [{ action: "reject", by: null, note: { ...localised(""), en: "It is a red panda." }, at: "2026-11-21T10:00:00Z" }],
  available_actions: [],
};
const replies = {
  "GET /api/v1/session": {
    body: { person: { id: 1, username: "me", name: "Me", language: "en" }, is_owner: false, benchmarks: [], submits_to: ["x"], build: "one" },
  },
  "GET /api/v1/benchmarks/x/errata": { body: { results: [row], next: null, total: 1, total_is_capped: false } },
  "POST /api/v1/benchmarks/x/errata": { status: 201, body: { ...row, state: "reported", events: [] } },
  "POST /api/v1/benchmarks/x/submit/join": { body: { username: "me" } },
};

afterEach(() => vi.unstubAllGlobals());

async function open(more: Parameters<typeof serve>[0]) {
  const server = serve({ ...replies, ...more });
  const at = "/submit/x/errata?release=captions-v1&item=cap-000012";
  return { server, ...(await renderScreen(<OutsideErrata />, { at, path: "/submit/:slug/errata" })) };
}

const posts = (server: ReturnType<typeof serve>) => server.asked.filter((one) => one.method === "POST").map((one) => one.path);

it("reports about the sample that a link names, and shows what was decided about one's own", async () => {
  const { server } = await open({ [show]: page("outsider") });
  expect(await screen.findByText("It is a red panda.")).toBeTruthy();
  expect(screen.queryByText(/Sending joins this benchmark/)).toBeNull();
  expect(screen.getByText("cap-000012").closest("a")).toBeNull();
  await userEvent.type(screen.getByTestId("report-text"), "The text names another animal.");
  await userEvent.click(screen.getByTestId("report-send"));
  await waitFor(() => expect(screen.getByTestId<HTMLTextAreaElement>("report-text").value).toBe(""));
  expect(posts(server)).toEqual(["/api/v1/benchmarks/x/errata"]);
  const body = server.asked.find((one) => one.method === "POST")?.body;
  expect(body).toMatchObject({ release: "captions-v1", item: "cap-000012", text: "The text names another animal." });
});

it("lets who has an account join with the first report", async () => {
  const { server } = await open({ [show]: page("none") });
  expect(await screen.findByText("Sending joins this benchmark from outside; you do not become a member of the team.")).toBeTruthy();
  expect(screen.queryByTestId("errata")).toBeNull();
  await userEvent.type(screen.getByTestId("report-text"), "The text names another animal.");
  server.replies[show] = page("outsider");
  await userEvent.click(screen.getByTestId("report-send"));
  expect(await screen.findByTestId("errata")).toBeTruthy();
  expect(posts(server)).toEqual(["/api/v1/benchmarks/x/submit/join", "/api/v1/benchmarks/x/errata"]);
});

it.each([
  ["barred", true, "An administrator ended your access to this benchmark."],
  ["none", false, "You cannot report mistakes here yet. Ask the administrators for a link."],
])("says why nothing can be reported: %s, %s", async (participation, mayJoin, text) => {
  const { server } = await open({ [show]: page(participation, mayJoin) });
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByTestId("report-form")).toBeNull();
  expect(server.asked.some((one) => one.path.endsWith("/errata"))).toBe(false);
});

it("leads members to their own page, with the labels", async () => {
  const { router } = await open({ [show]: page("member") });
  await screen.findByTestId("elsewhere");
  expect(router.state.location.pathname + router.state.location.search).toBe("/b/x/errata?release=captions-v1&item=cap-000012");
});
