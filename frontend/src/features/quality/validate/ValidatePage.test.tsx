import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import type { HeldPeerItem, PeerPool } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { heldItem, memberReplies, peerItem } from "@/testing/peer";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { ValidatePage } from "./ValidatePage";

afterEach(async () => {
  // Leaving the page still talks to the server: it goes before the stand-in does.
  cleanup();
  await new Promise((done) => setTimeout(done));
  vi.unstubAllGlobals();
});

function SignedIn() {
  return useSession().data ? (
    <>
      <ValidatePage />
      <KeySheets />
    </>
  ) : null;
}

const pool = (items: HeldPeerItem[], changes: Partial<PeerPool> = {}): PeerPool => ({
  kind: "captions",
  free: 4,
  held: 0,
  held_maximum: 3,
  lease_seconds: 600,
  heartbeat_seconds: 60,
  items,
  ...changes,
});
const POOL = "/api/v1/benchmarks/x/peer-pool";
const refusal = (code: string, params: object = {}, rest: object = {}) => ({ status: 409, body: { code, params, detail: "", ...rest } });

async function open(replies: Parameters<typeof serve>[0] = {}, search = "") {
  const server = serve({
    ...memberReplies(3),
    [`GET ${POOL}`]: { body: pool([]) },
    [`POST ${POOL}/claim`]: { body: pool([heldItem(1), heldItem(2)]) },
    [`POST ${POOL}/release`]: { body: { kept: [], lost: [] } },
    "POST /api/v1/items/1/star": { body: peerItem(1, { state: "accepted" }) },
    "POST /api/v1/items/1/send-back": { body: peerItem(1, { state: "returned" }) },
    "POST /api/v1/items/1/submit": { body: { item_id: 1, state: "made", revision_no: 2, findings: [], replayed: false } },
    "GET /api/v1/items/1/peer": { body: peerItem(1) },
    "GET /api/v1/items/1/comments": { body: [] },
    "GET /api/v1/items/1/people": { body: [] },
    ...replies,
  });
  const view = await renderScreen(<SignedIn />, { at: `/b/x/team/validate${search}`, path: "/b/:slug/team/validate" });
  const posts = (path: string) => server.asked.filter((one) => one.method === "POST" && one.path.endsWith(path)).map(({ body }) => body);
  return { ...view, keys: userEvent.setup({ delay: null }), posts, server };
}
async function start(replies: Parameters<typeof serve>[0] = {}) {
  const opened = await open(replies);
  await screen.findByTestId("start");
  await opened.keys.keyboard("{Enter}");
  await shows(1);
  return opened;
}
const shows = (id: number) => waitFor(() => expect(screen.getByTestId("validate").dataset.item).toBe(`cap-00000${id}`));
const field = () => screen.getByRole<HTMLTextAreaElement>("textbox");

test("items come one at a time, a star accepts, and the rest is released on leaving", async () => {
  const { keys, posts, unmount } = await start();
  expect(screen.getByText("cap-000001 · by Mona")).toBeTruthy();
  expect(await axeFaults()).toEqual([]);
  await keys.keyboard("s");
  await shows(2);
  expect(posts("/star")).toMatchObject([{ revision_no: 1 }]);
  expect(posts("/claim")).toMatchObject([{ kind: "captions", count: 2 }, { count: 1 }]);
  unmount();
  await waitFor(() => expect(posts("/release")).toHaveLength(1));
});

test("an item is returned with reasons chosen by number", async () => {
  const { keys, posts } = await start();
  await keys.keyboard("r");
  expect(await axeFaults()).toEqual([]);
  await keys.keyboard("2{Control>}{Enter}{/Control}");
  await shows(2);
  expect(posts("/send-back")).toMatchObject([{ revision_no: 1, reasons: ["not_cultural"], comment: "" }]);
});

test("another item is shown without a decision, and the first stays with the person", async () => {
  const { keys, posts } = await start();
  await keys.keyboard("n");
  await shows(2);
  expect([...posts("/star"), ...posts("/send-back"), ...posts("/release")]).toEqual([]);
});

test("a changed text becomes the newest version", async () => {
  const { keys, posts } = await start();
  await keys.keyboard("e");
  await keys.type(field(), " الكبير");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  await shows(2);
  expect(posts("/submit")).toMatchObject([{ track: "peer", base_no: 1, content: { captions: ["قارب شراعي في النيل الكبير"] } }]);
});

test.each([
  ["nothing_changed", {}],
  ["seat_held", { until: "2026-11-23T10:20:00Z" }],
])("what is typed stays when the server refuses it with %s", async (code, params) => {
  const { keys } = await start({ "POST /api/v1/items/1/submit": refusal(code, params) });
  await keys.keyboard("e");
  await keys.type(field(), "!");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  expect((await screen.findByTestId("problem")).dataset.code).toBe(code);
  expect(field().value).toBe("قارب شراعي في النيل!");
});

test("a text that meets a newer version is compared with it, and kept when the comparison is closed", async () => {
  const versions = { mine: {}, theirs: { captions: ["قارب"] }, base: { captions: ["قارب شراعي في النيل"] } };
  const { keys } = await start({ "POST /api/v1/items/1/submit": refusal("stale_revision", { revision_no: 2 }, versions) });
  await keys.keyboard("e");
  await keys.type(field(), "!");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByTestId("conflict");
  await keys.keyboard("{Escape}");
  expect(field().value).toBe("قارب شراعي في النيل!");
});

test("a star on an older version shows the newest one", async () => {
  const { keys } = await start({
    "POST /api/v1/items/1/star": refusal("stale_row", { revision: 2, named: 1 }),
    "GET /api/v1/items/1/peer": { body: peerItem(1, { revision_no: 2, content: { captions: ["قارب جديد"] } }) },
  });
  await keys.keyboard("s");
  await screen.findByText("قارب جديد");
  expect(screen.getByTestId("problem").dataset.code).toBe("stale_row");
});

test("one's own item needs another member's star", async () => {
  const own = peerItem(1, { mine: true, author: { id: 3, name: "Sami" }, available_actions: ["item_submit"] });
  const { keys, posts } = await open({ "GET /api/v1/items/1/peer": { body: own } }, "?item=1");
  expect((await screen.findByTestId("own")).textContent).toContain("another member has to star this");
  await keys.keyboard("sr");
  expect(posts("/star")).toEqual([]);
  expect(screen.queryByTestId("reason-form")).toBeNull();
});

test("an item that a link names comes first, then those of the pool", async () => {
  const { keys, posts } = await open({ [`POST ${POOL}/claim`]: { body: pool([heldItem(2)]) } }, "?item=1");
  await shows(1);
  await keys.keyboard("s");
  await shows(2);
  expect(posts("/star")).toHaveLength(1);
});

test("comments open by key and take what is typed", async () => {
  const { keys } = await start();
  await keys.keyboard("c");
  await screen.findByTestId("comments");
  await keys.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByTestId("comments")).toBeNull());
});

test("an empty pool says what will appear", async () => {
  await open({ [`GET ${POOL}`]: { body: pool([], { free: 0, held: 2 }) } });
  expect((await screen.findByTestId("empty")).textContent).toContain("Colleagues are checking 2 items");
});
