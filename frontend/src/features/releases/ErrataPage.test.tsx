import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import type { Erratum } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { ErrataPage } from "./ErrataPage";

const NOTE = { "zh-Hans": "", "zh-Hant": "", en: "" };
const ROW: Erratum = {
  id: 4,
  no: 2,
  state: "reported",
  release: { id: 7, label: "captions-v1" },
  item: "cap-000012",
  item_id: 31,
  text: "The fourth caption is wrong.",
  reported_by: { id: 5, name: "Mei" },
  reported_at: "2026-11-20T10:00:00Z",
  events: [],
  available_actions: ["erratum_confirm", "erratum_reject"],
};

function replies(rows: Erratum[], operations = ["erratum_list", "erratum_report", "erratum_confirm"]) {
  const benchmark = { slug: "x", title: {}, roles: [], operations, kinds: ["captions"], consent: { needed: false, given: false }, teams: [] };
  return {
    "GET /api/v1/session": { body: { person: { id: 1, username: "a", name: "A", language: "en" }, is_owner: false, benchmarks: [benchmark], build: "one" } },
    "GET /api/v1/benchmarks/x/errata": { body: { results: rows, next: null, total: rows.length, total_is_capped: false } },
    "POST /api/v1/benchmarks/x/errata": { status: 201, body: ROW },
    "POST /api/v1/errata/4/confirm": { body: { ...ROW, state: "confirmed" } },
  };
}

const show = (at = "/b/x/errata") => renderScreen(<ErrataPage />, { at, path: "/b/:slug/errata" });

afterEach(() => vi.unstubAllGlobals());

it("reports a mistake in the item that a link names", async () => {
  const { asked } = serve(replies([]));
  await show("/b/x/errata?release=captions-v1&item=cap-000012");
  const send = await screen.findByTestId<HTMLButtonElement>("report-send");
  expect(send.disabled).toBe(true);
  expect(screen.getByText("Name an item or a release, and say what is wrong.")).toBeTruthy();
  await userEvent.type(screen.getByTestId("report-text"), "It is a panda.");
  await userEvent.click(send);
  await waitFor(() => expect(screen.getByTestId<HTMLTextAreaElement>("report-text").value).toBe(""));
  const body = asked.find((one) => one.method === "POST")?.body;
  expect(body).toMatchObject({ release: "captions-v1", item: "cap-000012", text: "It is a panda." });
});

it("confirms only with a note for readers", async () => {
  const { asked } = serve(replies([ROW]));
  await show();
  expect((await screen.findByText("cap-000012")).getAttribute("href")).toBe("/b/x/items/31");
  expect(screen.getByTestId("erratum-2").textContent).toContain("captions-v1 · Erratum 2 · Reported by Mei");
  expect(screen.queryByTestId("withdraw-2")).toBeNull();
  await userEvent.click(screen.getByTestId("confirm-2"));
  expect(screen.getByTestId<HTMLButtonElement>("decide").disabled).toBe(true);
  await userEvent.type(screen.getByTestId("note-en"), "Another animal.");
  await userEvent.click(screen.getByTestId("decide"));
  await waitFor(() => expect(asked.find((one) => one.path.endsWith("/confirm"))?.body).toMatchObject({ note: { en: "Another animal." } }));
});

it("shows reporters what was decided, in the languages that the note has", async () => {
  const events = [{ action: "confirm" as const, by: null, note: { ...NOTE, "zh-Hans": "不是这种动物。" }, at: "2026-11-21T10:00:00Z" }];
  serve(replies([{ ...ROW, state: "confirmed", item_id: null, reported_by: null, events, available_actions: [] }], ["erratum_list", "erratum_report"]));
  await show();
  expect((await screen.findByText("不是这种动物。")).getAttribute("lang")).toBe("zh-Hans");
  expect(screen.getByText("Mistakes that you reported in published releases.")).toBeTruthy();
  expect(screen.queryByTestId("confirm-2")).toBeNull();
});

it.each([
  ["reported", 1, ["erratum_list", "erratum_confirm"], 1],
  ["confirmed", 1, ["erratum_list", "erratum_confirm"], 1],
  ["rejected", 1, ["erratum_list", "erratum_confirm"], 0],
  ["reported", 5, ["erratum_list", "erratum_confirm"], 0],
  ["reported", 1, ["erratum_list"], 0],
] as const)("says that another person decides what one reported: %s by person %i with %j", async (state, by, operations, times) => {
  serve(replies([{ ...ROW, state, reported_by: { id: by, name: "Mei" }, available_actions: [] }], [...operations]));
  await show();
  await screen.findByTestId("erratum-2");
  expect(screen.queryAllByText("You reported this, so another person confirms, rejects or withdraws it.")).toHaveLength(times);
});
