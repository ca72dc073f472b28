import { act, cleanup, screen, waitFor } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import type { Finding, HeldPeerItem, PeerItem, PeerPool } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { heldItem, memberReplies, peerItem } from "@/testing/peer";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { toasts } from "@/ui/toasts";
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
    "POST /api/v1/items/2/star": { body: peerItem(2, { state: "accepted" }) },
    ...replies,
  });
  const view = await renderScreen(<SignedIn />, { at: `/b/x/team/validate${search}`, path: "/b/:slug/team/validate" });
  const posts = (path: string) => server.asked.filter((one) => one.method === "POST" && one.path.endsWith(path)).map(({ body }) => body);
  return { ...view, keys: userEvent.setup({ delay: null }), posts, server };
}
async function start(replies: Parameters<typeof serve>[0] = {}, changes: Partial<PeerPool> = {}) {
  const opened = await open({ [`GET ${POOL}`]: { body: pool([], changes) }, ...replies });
  await screen.findByTestId("start");
  await opened.keys.keyboard("{Enter}");
  await shows(1);
  return opened;
}
const shows = (id: number) => waitFor(() => expect(screen.getByTestId("validate").dataset.item).toBe(`cap-00000${id}`));
const field = () => screen.getByTestId<HTMLTextAreaElement>("caption-1");
const MOD_ENTER = "{Control>}{Enter}{/Control}";
const TYPED = "قارب شراعي في النيل!";
const newer = (changes: Partial<PeerItem> = {}) => peerItem(1, { revision_no: 2, content: { captions: ["قارب"] }, ...changes });
const stale = refusal("stale_revision", { revision_no: 2 }, { theirs: { captions: ["قارب"] }, base: { captions: ["قارب شراعي في النيل"] } });

/** Opens the form for changing the item on the screen, and types into it. */
async function type(keys: UserEvent) {
  await keys.keyboard("e");
  await keys.type(field(), "!");
}
/** Requests whose address has this part wait until the returned function lets them through. */
function hold(part: string): () => void {
  const send = fetch;
  let open: () => void = () => undefined;
  const gate = new Promise<void>((done) => (open = done));
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    if (address.includes(part)) await gate;
    return send(address, init);
  });
  return () => open();
}

test("items come one at a time, a star accepts, and the rest is released on leaving", async () => {
  const { keys, posts, unmount } = await start();
  expect(screen.getByText("cap-000001 · by Mona")).toBeTruthy();
  expect(await axeFaults()).toEqual([]);
  await keys.keyboard("s");
  await shows(2);
  expect(posts("/star")).toMatchObject([{ revision_no: 1 }]);
  expect(toasts.snapshot().map(({ text }) => text)).toEqual(["cap-000001 starred: it is accepted"]);
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

test("a refetch of the item that the address names keeps what is typed, and saving compares the versions", async () => {
  const { client, keys, posts, server } = await open({ "POST /api/v1/items/1/submit": stale }, "?item=1");
  await shows(1);
  await type(keys);
  server.replies["GET /api/v1/items/1/peer"] = { body: newer() };
  await act(() => client.invalidateQueries({ queryKey: ["peer_item_show"] }));
  expect((await screen.findByTestId("newer")).textContent).toContain("Saving compares it with yours");
  expect(field().value).toBe(TYPED);
  expect(await axeFaults()).toEqual([]);
  await keys.keyboard(MOD_ENTER);
  await screen.findByTestId("conflict");
  expect(posts("/submit")).toMatchObject([{ base_no: 1, content: { captions: [TYPED] } }]);
  await keys.keyboard("{Escape}{Escape}");
  await screen.findByText("قارب");
});

test("items that are claimed meanwhile do not replace the one that is being changed", async () => {
  const { keys, server } = await start();
  const letThrough = hold("/claim");
  await keys.keyboard("s");
  await shows(2);
  await type(keys);
  server.replies[`POST ${POOL}/claim`] = { body: pool([heldItem(3), heldItem(2, { revision_no: 2 })]) };
  letThrough();
  await screen.findByTestId("newer");
  expect(field().value).toBe(TYPED);
});

test("another item that appears while a form is open leaves the form", async () => {
  const { client, keys } = await start();
  const letThrough = hold("/claim");
  await keys.keyboard("n");
  await type(keys);
  letThrough();
  await waitFor(() => expect(client.isMutating()).toBe(0));
  await keys.type(field(), "!");
  expect(field().value).toBe(`${TYPED}!`);
  await keys.keyboard("{Escape}");
  // What was changed is given up by the second press.
  expect(screen.getByText("Your correction is not saved.")).toBeTruthy();
  expect(field().value).toBe(`${TYPED}!`);
  await keys.keyboard("{Escape}");
  await shows(2);
});

test("what is typed stays when the seat is lost, and can be saved", async () => {
  const lost: number[] = [];
  const renew = () => ({ body: { kept: [], lost } });
  const { keys, posts } = await start({ [`POST ${POOL}/renew`]: renew }, { heartbeat_seconds: 0.02 });
  await type(keys);
  lost.push(101);
  expect((await screen.findByTestId("seat-expired")).textContent).toContain("no longer reserved for you");
  await shows(1);
  expect(field().value).toBe(TYPED);
  await keys.keyboard(MOD_ENTER);
  await shows(2);
  expect(posts("/submit")).toMatchObject([{ content: { captions: [TYPED] } }]);
});

test("a refused merge stays in the comparison with the reasons, and then in the form", async () => {
  const finding: Finding = { code: "captions_overlap", field: "", severity: "error", overridable: true, params: {}, spans: [] };
  const own = heldItem(1, { findings: [finding] });
  const { keys, posts, server } = await start({ [`POST ${POOL}/claim`]: { body: pool([own, heldItem(2)]) }, "POST /api/v1/items/1/submit": stale });
  await type(keys);
  await keys.type(screen.getByTestId("reason-captions_overlap"), "named twice");
  await keys.keyboard(MOD_ENTER);
  await screen.findByTestId("conflict");
  await keys.clear(screen.getByRole("textbox"));
  await keys.type(screen.getByRole("textbox"), "قارب أبيض");
  server.replies["POST /api/v1/items/1/submit"] = refusal("seat_held", { until: "2026-11-23T10:20:00Z" });
  await keys.keyboard(MOD_ENTER);
  expect((await screen.findByTestId("problem")).dataset.code).toBe("seat_held");
  expect(screen.getByTestId("conflict")).toBeTruthy();
  await keys.click(screen.getByTestId("conflict"));
  await keys.keyboard("{Escape}");
  expect(field().value).toBe("قارب أبيض");
  expect(screen.queryByTestId("newer")).toBeNull();
  server.replies["POST /api/v1/items/1/submit"] = { body: { item_id: 1, state: "made", revision_no: 3, findings: [], replayed: false } };
  await keys.keyboard(MOD_ENTER);
  await shows(2);
  const merged = { base_no: 2, content: { captions: ["قارب أبيض"] }, reasons: { captions_overlap: "named twice" } };
  expect(posts("/submit")).toMatchObject([{ base_no: 1 }, merged, merged]);
});

test("a merged text with findings goes back into the form, with them", async () => {
  const { keys, server } = await start({ "POST /api/v1/items/1/submit": stale });
  await type(keys);
  await keys.keyboard(MOD_ENTER);
  await screen.findByTestId("conflict");
  const finding: Finding = { code: "captions_overlap", field: "", severity: "error", overridable: true, params: {}, spans: [] };
  server.replies["POST /api/v1/items/1/submit"] = { status: 422, body: { code: "content_refused", params: { findings: [finding] }, detail: "" } };
  await keys.keyboard("m");
  await keys.keyboard(MOD_ENTER);
  await screen.findByTestId("reason-captions_overlap");
  expect(field().value).toBe(TYPED);
});

test("a return that is refused keeps its reasons and comment", async () => {
  const { keys, posts, server } = await start({ "POST /api/v1/items/1/send-back": { status: 503, body: { code: "unavailable", params: {}, detail: "" } } });
  await keys.keyboard("r2");
  await keys.type(screen.getByTestId("reason-comment"), "not in Egypt");
  await keys.keyboard(MOD_ENTER);
  await screen.findByTestId("problem");
  server.replies["POST /api/v1/items/1/send-back"] = refusal("stale_row", { revision: 2, named: 1 });
  server.replies["GET /api/v1/items/1/peer"] = { body: newer() };
  await keys.keyboard(MOD_ENTER);
  await screen.findByText("قارب");
  expect(screen.getByTestId("problem").dataset.code).toBe("stale_row");
  expect(await axeFaults()).toEqual([]);
  server.replies["POST /api/v1/items/1/send-back"] = { body: newer({ state: "returned" }) };
  await keys.keyboard(MOD_ENTER);
  await shows(2);
  const why = { reasons: ["not_cultural"], comment: "not in Egypt" };
  expect(posts("/send-back")).toMatchObject([1, 1, 2].map((revision_no) => ({ revision_no, ...why })));
});

test("a newer version can be read beside the reasons for a return", async () => {
  const { client, keys, posts, server } = await open({}, "?item=1");
  await shows(1);
  await keys.keyboard("r2");
  server.replies["GET /api/v1/items/1/peer"] = { body: newer() };
  await act(() => client.invalidateQueries({ queryKey: ["peer_item_show"] }));
  await keys.click(await screen.findByTestId("show-newer"));
  await screen.findByText("قارب");
  await keys.keyboard(MOD_ENTER);
  await waitFor(() => expect(posts("/send-back")).toMatchObject([{ revision_no: 2, reasons: ["not_cultural"] }]));
});

test("seats are kept while an item of the address is shown", async () => {
  const { keys, posts, router } = await start({ "GET /api/v1/items/5/peer": { body: peerItem(5) }, "POST /api/v1/items/5/star": { body: peerItem(5) } });
  await act(() => router.navigate("?item=5"));
  await shows(5);
  await keys.keyboard("s");
  await shows(1);
  expect(posts("/release")).toEqual([]);
});

test("an item of the address does not replace one that is being changed", async () => {
  const { client, keys, router } = await start({ "GET /api/v1/items/5/peer": { body: peerItem(5) } });
  await type(keys);
  await act(() => router.navigate("?item=5"));
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(field().value).toBe(TYPED);
  await keys.keyboard("{Escape}{Escape}");
  await shows(5);
});

test("an empty pool offers no key to start", async () => {
  const { keys, posts } = await open({ [`GET ${POOL}`]: { body: pool([], { free: 0 }) } });
  await screen.findByTestId("empty");
  await keys.keyboard("{Enter}");
  expect(posts("/claim")).toEqual([]);
});

test("a benchmark without team work says so", async () => {
  await open({ "GET /api/v1/benchmarks/x": { body: { protocol: { content: { kinds: { captions: { track: "package" } } } }, categories: [] } } });
  expect((await screen.findByTestId("empty")).textContent).toContain("No team work here");
});
