import "fake-indexeddb/auto";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import type { PeerItem } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { deleteBrowserStore } from "@/testing/browserStore";
import { memberReplies, peerItem } from "@/testing/peer";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { deliveryOf } from "../saving/delivery";
import { TeamDeskPage } from "./TeamDeskPage";

const todo: Partial<PeerItem> = { state: "todo", revision_no: 0, content: null, author: null, available_actions: ["item_submit", "item_discard"] };
let person = 900;

beforeEach(() => {
  person += 1;
});
afterEach(async () => {
  deliveryOf(person).stop();
  cleanup();
  vi.unstubAllGlobals();
  await deleteBrowserStore();
});

function SignedIn() {
  return useSession().data ? (
    <>
      <TeamDeskPage />
      <KeySheets />
    </>
  ) : null;
}

async function open(changes: Partial<PeerItem>, replies: Parameters<typeof serve>[0] = {}) {
  const server = serve({
    ...memberReplies(person),
    "GET /api/v1/items/1/peer": { body: peerItem(1, changes) },
    "PUT /api/v1/items/1/draft": (asked: Asked) => ({
      body: { seq: (asked.body as { seq: number }).seq, findings: [], saved_at: "2026-11-23T09:00:00Z" },
    }),
    "POST /api/v1/items/1/submit": { body: { item_id: 1, state: "made", revision_no: 1, findings: [], replayed: false } },
    "POST /api/v1/benchmarks/x/team-items": { status: 201, body: peerItem(2, { ...todo, slot: 1 }) },
    ...replies,
  });
  const view = await renderScreen(<SignedIn />, { at: "/b/x/team/items/1", path: "/b/:slug/team/items/:itemId" });
  await screen.findByTestId("task");
  const sent = (method: string, path: string) => server.asked.filter((one) => one.method === method && one.path.endsWith(path)).map(({ body }) => body);
  return { ...view, keys: userEvent.setup({ delay: null }), sent, at: () => view.router.state.location.pathname };
}
const field = () => screen.getByRole<HTMLTextAreaElement>("textbox");

test("a new item is written in its direction, submitted to the team's track, and followed by the next on the picture", async () => {
  const { keys, sent, at } = await open(todo);
  expect([field().lang, field().dir]).toEqual(["ar", "rtl"]);
  expect(await axeFaults()).toEqual([]);
  await keys.type(field(), "قارب شراعي");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  expect((await screen.findByTestId("team-done")).textContent).toContain("cap-000001 submitted");
  await waitFor(() => expect(sent("POST", "/submit")).toMatchObject([{ track: "peer", base_no: 0, content: { captions: ["قارب شراعي"] } }]));
  expect(sent("PUT", "/draft").every((body) => (body as { track?: string }).track === "peer")).toBe(true);
  await keys.keyboard("{Alt>}n{/Alt}");
  await waitFor(() => expect(at()).toBe("/b/x/team/items/2"));
  expect(sent("POST", "/team-items")).toMatchObject([{ kind: "captions", image: 40 }]);
});

test("no further item is created before this one is written", async () => {
  const { keys, sent } = await open(todo);
  await keys.keyboard("{Alt>}n{/Alt}");
  expect(sent("POST", "/team-items")).toEqual([]);
});

test("no further item is offered on a full picture, or to those who may not create any", async () => {
  const { keys, sent } = await open({ mine: true, may_create: false });
  await keys.keyboard("{Alt>}n{/Alt}");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByTestId("team-done");
  expect(screen.queryByTestId("another")).toBeNull();
  await keys.keyboard("{Alt>}n{/Alt}");
  expect(sent("POST", "/team-items")).toEqual([]);
});

test("a full picture is a sentence", async () => {
  const full = { status: 409, body: { code: "picture_full", params: { maximum: 3 }, detail: "" } };
  const { keys } = await open({ mine: true }, { "POST /api/v1/benchmarks/x/team-items": full });
  await keys.keyboard("{Alt>}n{/Alt}");
  expect((await screen.findByTestId("problem")).textContent).toContain("3");
});

test("a text that the server refuses stays in its field with the reason", async () => {
  const refused = { status: 409, body: { code: "nothing_changed", params: {}, detail: "" } };
  const { keys } = await open({}, { "POST /api/v1/items/1/submit": refused });
  expect(screen.getByTestId("colleagues").textContent).toContain("Mona wrote this");
  await keys.click(field());
  await keys.keyboard("{Control>}{Enter}{/Control}");
  expect((await screen.findByTestId("submit-refused")).textContent).toContain("still here");
  expect(field().value).toBe("قارب شراعي في النيل");
});

/** A server on which Ann's draft can be deleted, after which the item is as given. */
function deletable(after: Partial<PeerItem>, before: Partial<PeerItem> = {}) {
  let isDeleted = false;
  return {
    "GET /api/v1/items/1/peer": () => ({ body: peerItem(1, isDeleted ? after : before) }),
    "DELETE /api/v1/items/1/draft": () => {
      isDeleted = true;
      return { status: 204 };
    },
  };
}
const discardVersion = async (keys: ReturnType<typeof userEvent.setup>) => {
  await keys.click(screen.getByTestId("discard-version"));
  await keys.click(screen.getByTestId("discard-version-confirm"));
};

test("a text refused because a colleague starred an older version is put away", async () => {
  const refused = { status: 403, body: { code: "own_work", params: {}, detail: "" } };
  const starred: Partial<PeerItem> = { mine: true, state: "accepted", available_actions: [] };
  const { keys, sent } = await open({}, { ...deletable(starred, { mine: true }), "POST /api/v1/items/1/submit": refused });
  expect(screen.queryByTestId("discard-version")).toBeNull();
  await keys.type(field(), "و");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByTestId("submit-refused");
  expect(await axeFaults()).toEqual([]);
  await discardVersion(keys);
  expect((await screen.findByTestId("team-done")).textContent).toContain("This item is accepted");
  expect(sent("DELETE", "/draft")).toHaveLength(1);
  await waitFor(() => expect(deliveryOf(person).outbox.snapshot().entries).toEqual([]));
  expect(deliveryOf(person).hasUnsent()).toBe(false);
});

test.each([
  ["one's own newer version, as from another device, replaces a rejected text", true],
  ["a colleague's newer version leaves a rejected text where it is", false],
])("%s", async (_, isMine) => {
  const refused = { status: 409, body: { code: "nothing_changed", params: {}, detail: "" } };
  const first = await open({ mine: true }, { "POST /api/v1/items/1/submit": refused });
  await first.keys.type(field(), "و");
  await first.keys.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByTestId("submit-refused");
  cleanup();
  await open({ mine: isMine, revision_no: 9 }, { "POST /api/v1/items/1/submit": refused });
  const kept = () => deliveryOf(person).outbox.snapshot().entries.length;
  if (isMine) await waitFor(() => expect(kept()).toBe(0));
  else expect(await screen.findByTestId("submit-refused")).toBeTruthy();
  expect(kept()).toBe(isMine ? 0 : 1);
});

test("who keeps all of a colleague's version submits nothing: their draft is deleted", async () => {
  const draft = { content: { captions: ["مسودة"] }, seq: 4, base_no: 1, active_ms: 0 };
  const { keys, sent } = await open({}, deletable({ revision_no: 2 }, { revision_no: 2, draft }));
  await keys.click(within(screen.getByTestId("conflict")).getByRole("button", { name: /Use all theirs/ }));
  await keys.click(screen.getByTestId("conflict-submit"));
  await waitFor(() => expect(screen.queryByTestId("conflict")).toBeNull());
  expect(field().value).toBe("قارب شراعي في النيل");
  expect([sent("DELETE", "/draft").length, sent("POST", "/submit").length]).toEqual([1, 0]);
  expect(screen.queryByTestId("discard-version")).toBeNull();
});

test("a version that the server could not delete stays", async () => {
  const { keys } = await open(todo, { "DELETE /api/v1/items/1/draft": { status: 503, body: { code: "service_away", params: {}, detail: "" } } });
  await keys.type(field(), "قارب");
  await discardVersion(keys);
  await screen.findByTestId("problem");
  expect(field().value).toBe("قارب");
});

test("a refused text of an item that the person may not see any more is put away", async () => {
  await deliveryOf(person).outbox.add({
    ...{ key: "k", personId: person, track: "peer", packageId: null, itemId: 1, position: 0, label: "cap-000001", baseNo: 1, content: {}, reasons: {} },
    ...{ activeMs: null, guideline: null, leftOut: null, wasOpen: false, queuedAt: 1, state: "refused", attempts: 1, failure: null },
  });
  serve(memberReplies(person));
  const { router } = await renderScreen(<SignedIn />, { at: "/b/x/team/items/1", path: "/b/:slug/team/items/:itemId" });
  await screen.findByTestId("problem");
  await discardVersion(userEvent.setup({ delay: null }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/b/x/team"));
  await waitFor(() => expect(deliveryOf(person).outbox.snapshot().entries).toEqual([]));
});

test.each([
  ["a colleague", "2026-11-23T10:20:00Z", 1],
  ["nobody", null, 0],
])("an author reads whether a colleague is validating the item just now (%s)", async (_, held_until, shown) => {
  const { sent } = await open({ mine: true, held_until });
  await waitFor(() => expect(sent("GET", "/items/1/peer").length).toBe(2));
  await waitFor(() => expect(screen.queryAllByTestId("being-validated")).toHaveLength(shown));
  expect(field()).toBeTruthy();
});

test("who changes an accepted item reads that it loses its star", async () => {
  await open({ state: "accepted", available_actions: ["item_submit"] });
  expect(screen.getByTestId("colleagues").textContent).toContain("loses its star");
});

test("an item whose picture was restored says so above its text", async () => {
  await open({ state: "returned", mine: true, is_restored: true });
  expect(screen.getByTestId("restored").textContent).toContain("check the item and submit it again");
  expect(screen.queryByTestId("returned")).toBeNull();
});

test("a returned item is submitted unchanged only when that is asked for twice", async () => {
  const { keys, sent } = await open({ state: "returned", mine: true, sent_back: { stage: "peer", reasons: ["not_cultural"], comment: "", by: null } });
  expect(screen.getByTestId("submit").textContent).toContain("Submit");
  expect(screen.getByTestId("submit").textContent).not.toContain("next");
  await keys.click(screen.getByTestId("submit"));
  expect(await screen.findByText(/You changed nothing since the item was returned/)).toBeTruthy();
  expect(sent("POST", "/submit")).toEqual([]);
  await keys.click(screen.getByTestId("submit"));
  await waitFor(() => expect(sent("POST", "/submit")).toHaveLength(1));
});

test("the desk of an item that the reader may not see says so", async () => {
  serve({ ...memberReplies(person), "GET /api/v1/items/1/peer": { status: 404, body: { code: "not_found", params: {}, detail: "" } } });
  await renderScreen(<SignedIn />, { at: "/b/x/team/items/1", path: "/b/:slug/team/items/:itemId" });
  await waitFor(() => expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Item not available"));
});

test("why an item was returned stands above its text", async () => {
  await open({ state: "returned", mine: true, sent_back: { stage: "peer", reasons: ["not_cultural"], comment: "Any river", by: { id: 2, name: "Mona" } } });
  expect(screen.getByTestId("returned").textContent).toBe("Returned by a colleague: Not culturalAny river");
});

test.each([
  ["held_until", { held_until: "2026-11-23T10:20:00Z", available_actions: [] }, "A colleague is checking this item"],
  ["accepted", { state: "accepted" as const, mine: true, available_actions: [] }, "This item is accepted"],
])("an item that cannot be changed now is read (%s)", async (_, changes, sentence) => {
  await open(changes);
  expect(screen.getByTestId("team-done").textContent).toContain(sentence);
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(await axeFaults()).toEqual([]);
});

test("the preview shows the text as it is typed", async () => {
  const { keys } = await open(todo);
  await keys.type(field(), "قارب");
  await keys.keyboard("{Alt>}p{/Alt}");
  expect(screen.getByTestId("preview").textContent).toContain("قارب");
  await keys.keyboard("{Alt>}p{/Alt}");
  expect(screen.queryByTestId("preview")).toBeNull();
});

test("a draft of an earlier visit is continued", async () => {
  await open({ ...todo, draft: { content: { captions: ["مسودة"] }, seq: 4, base_no: 0, active_ms: 0 } });
  expect(field().value).toBe("مسودة");
});

test("who may only discard an item, such as a curator one of a closed team, is offered that", async () => {
  const returned: Partial<PeerItem> = { state: "returned", available_actions: ["item_discard"] };
  const { keys, sent } = await open(returned, { "POST /api/v1/items/1/discard": { body: peerItem(1, { state: "excluded" }) } });
  expect(screen.queryByRole("textbox")).toBeNull();
  await keys.click(screen.getByTestId("discard"));
  await keys.click(screen.getByTestId("discard-confirm"));
  await waitFor(() => expect(sent("POST", "/discard")).toMatchObject([{ revision_no: 1 }]));
});

test("a version on its way cannot be put away", async () => {
  const draft = { content: { captions: ["مسودة"] }, seq: 4, base_no: 0, active_ms: 0 };
  const replies = { "POST /api/v1/items/1/submit": { status: 503, body: { code: "service_away", params: {}, detail: "" } } };
  const { keys } = await open({ ...todo, draft }, replies);
  expect(screen.getByTestId("discard-version")).toBeTruthy();
  await keys.click(field());
  await keys.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(deliveryOf(person).hasUnsent()).toBe(true));
  cleanup();
  await open({ ...todo, draft }, replies);
  expect(screen.queryByTestId("discard-version")).toBeNull();
});

test("an item is discarded after a question, and the board comes back", async () => {
  const { keys, sent, router } = await open(todo, { "POST /api/v1/items/1/discard": { body: peerItem(1, { state: "excluded" }) } });
  await keys.click(screen.getByTestId("discard"));
  await keys.click(screen.getByTestId("discard-confirm"));
  await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe("/b/x/team?kind=captions&team=7"));
  expect(sent("POST", "/discard")).toMatchObject([{ revision_no: 0 }]);
});

test("a team's items stand in a row with their states, and lead to any of them", async () => {
  const places = (["made", "returned", "todo"] as const).map((state, index) => ({ id: index + 1, label: `cap-00000${index + 1}`, position: index + 1, state }));
  const { keys, at } = await open(
    { ...todo, id: 1 },
    {
      "GET /api/v1/benchmarks/x/team-places": (asked: Asked) => ({ body: { items: asked.query.get("team") === "7" && asked.query.get("kind") === "captions" ? places : [] } }),
    },
  );
  await screen.findByTestId("strip");
  const mark = (n: number) => screen.getByTestId(`place-cap-00000${n}`).dataset.mark;
  // The open item's own state is newer than the list's.
  expect([mark(1), mark(2), mark(3)]).toEqual(["todo", "returned", "todo"]);
  expect(screen.getByTestId("place-cap-000001").getAttribute("aria-current")).toBe("true");
  await keys.click(screen.getByTestId("strip-returned"));
  await waitFor(() => expect(at()).toBe("/b/x/team/items/2"));
});

test("all keys and the commands have buttons for a telephone", async () => {
  const { keys } = await open(todo);
  expect(screen.getByTestId("do-keys.palette").className).toContain("touch-only");
  await keys.click(screen.getByTestId("do-keys.help"));
  expect(await screen.findByTestId("help-sheet")).toBeTruthy();
});
