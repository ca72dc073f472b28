import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import type { SpotCheckSheet } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { curatorReplies, drawnItem, peerRules } from "@/testing/peer";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { SpotCheckPage } from "./SpotCheckPage";

afterEach(async () => {
  // Leaving the page still talks to the server: it goes before the stand-in does.
  cleanup();
  await new Promise((done) => setTimeout(done));
  vi.unstubAllGlobals();
});

function SignedIn() {
  return useSession().data ? (
    <>
      <SpotCheckPage />
      <KeySheets />
    </>
  ) : null;
}

const ADDRESS = "GET /api/v1/benchmarks/x/spot-checks/sheet";
const sheetOf = (items: SpotCheckSheet["items"], total = items.length) => ({ body: { kind: "captions", rules: peerRules, total, items } });

async function open(items = [drawnItem(1), drawnItem(2)], total = items.length, replies: Parameters<typeof serve>[0] = {}) {
  const server = serve({
    ...curatorReplies(),
    [ADDRESS]: sheetOf(items, total),
    "POST /api/v1/items/1/spot-check": { body: {} },
    "POST /api/v1/items/2/spot-check": { body: {} },
    ...replies,
  });
  const view = await renderScreen(<SignedIn />, { at: "/b/x/team/spot-checks/judge", path: "/b/:slug/team/spot-checks/judge" });
  await screen.findByRole("heading", { level: 1 });
  const sent = () => server.asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path.split("/")[4], body] as const);
  return { server, sent, keys: userEvent.setup({ delay: null }), at: () => view.router.state.location };
}

test("items are judged by keys alone, a wrong one with its reason, and sent before the results are shown", async () => {
  const { keys, sent, at } = await open();
  await screen.findByTestId("sheet");
  await keys.keyboard("a");
  expect(screen.getByTestId("outcome-cap-000001").dataset.outcome).toBe("right");
  expect(screen.getByTestId("card-cap-000002").getAttribute("aria-current")).toBe("true");
  await keys.keyboard("r");
  await keys.keyboard("2");
  await keys.keyboard("{Enter}");
  expect(screen.getByTestId("outcome-cap-000002").dataset.outcome).toBe("wrong");
  expect(screen.getByTestId("judged").textContent).toBe("2 of 2 judged");
  expect(sent()).toEqual([]); // they can be undone
  await keys.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(at().pathname + at().search).toBe("/b/x/team/spot-checks?kind=captions"));
  expect(sent()).toMatchObject([
    ["1", { outcome: "right", revision_no: 1, reasons: [] }],
    ["2", { outcome: "wrong", revision_no: 1, reasons: ["not_cultural"] }],
  ]);
});

test("a verdict can be undone before it is sent", async () => {
  const { keys, sent } = await open();
  await screen.findByTestId("sheet");
  await keys.keyboard("a");
  await keys.keyboard("z");
  expect(screen.queryByTestId("outcome-cap-000001")).toBeNull();
  expect(sent()).toEqual([]);
});

test("undoing a wrong verdict gives back what was typed for it", async () => {
  const { keys, sent } = await open();
  await screen.findByTestId("sheet");
  await keys.keyboard("r");
  await keys.keyboard("2");
  await keys.type(screen.getByTestId("reason-comment"), "Any river");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  expect(screen.getByTestId("outcome-cap-000001").dataset.outcome).toBe("wrong");
  await keys.keyboard("z");
  expect(screen.getByTestId<HTMLTextAreaElement>("reason-comment").value).toBe("Any river");
  expect(screen.getByTestId<HTMLInputElement>("reason-not_cultural").checked).toBe(true);
  expect(sent()).toEqual([]);
});

test("a wrong item without a reason is not judged", async () => {
  const { keys } = await open();
  await screen.findByTestId("sheet");
  await keys.keyboard("r");
  await keys.keyboard("{Enter}");
  expect(screen.getByText(/Choose or write a reason/)).toBeTruthy();
  expect(screen.queryByTestId("outcome-cap-000001")).toBeNull();
});

test("a card warns of one's own part in the item, and shows its team and its language", async () => {
  const own = [{ reader_edited: true }, { reader_starred: true }, { reader_edited: true, reader_starred: true }, {}];
  await open(own.map((part, index) => drawnItem(index + 1, part)));
  const cards = within(await screen.findByTestId("sheet")).getAllByTestId(/^card-/);
  const warnings = cards.map((card) => within(card).queryByRole("status")?.textContent ?? null);
  expect(warnings).toEqual([
    "You wrote an earlier version of this item. Another curator should judge it.",
    "You starred this item. Another curator should judge it.",
    "You wrote an earlier version of this item and starred it. Another curator should judge it.",
    null,
  ]);
  expect(cards[0]?.textContent).toContain("Egypt");
  expect(within(screen.getByTestId("card-cap-000001")).getByText("قارب شراعي في النيل").closest("[dir]")?.getAttribute("dir")).toBe("rtl");
  expect(await axeFaults()).toEqual([]);
});

test("what a colleague judged meanwhile stays on its card with the reason", async () => {
  const refused = { status: 409, body: { code: "not_in_spot_check", params: {}, detail: "" } };
  const { keys, at } = await open([drawnItem(1)], 1, { "POST /api/v1/items/1/spot-check": refused });
  await screen.findByTestId("sheet");
  await keys.keyboard("a");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  expect(await screen.findByText(/not in an open spot check/)).toBeTruthy();
  expect(at().pathname).toContain("/judge");
});

test("items that do not fit on the sheet come next", async () => {
  const { keys, server } = await open([drawnItem(1)], 2);
  await screen.findByTestId("sheet");
  expect(screen.getByTestId("complete-spot-check").textContent).toContain("Next items");
  await keys.keyboard("a");
  server.replies[ADDRESS] = sheetOf([drawnItem(2)]);
  await keys.keyboard("{Control>}{Enter}{/Control}");
  expect(await screen.findByTestId("card-cap-000002")).toBeTruthy();
  expect(screen.queryByTestId("card-cap-000001")).toBeNull();
});

test("without drawn items the page leads back to the spot checks", async () => {
  await open([]);
  expect((await screen.findByTestId("empty")).textContent).toContain("Nothing to judge");
  expect(screen.getByRole("link").getAttribute("href")).toBe("/b/x/team/spot-checks?kind=captions");
});
