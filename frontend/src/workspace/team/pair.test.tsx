import "fake-indexeddb/auto";
import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import type { PeerItem } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { deleteBrowserStore } from "@/testing/browserStore";
import { baseOf, click, contentOf, groundingItem } from "@/testing/grounding";
import { memberReplies } from "@/testing/peer";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { deliveryOf } from "../saving/delivery";
import { TeamDeskPage } from "./TeamDeskPage";

const writable: Partial<PeerItem> = { state: "todo", revision_no: 0, content: null, author: null, available_actions: ["item_submit", "item_discard"] };
const emptyDraft: PeerItem["draft"] = { content: { expressions: [] }, seq: 0, base_no: 0, active_ms: 0 };
let person = 700;

beforeEach(() => {
  person += 1;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(private readonly call: (entries: unknown[]) => void) {}
      observe() {
        this.call([{ contentRect: { width: 800, height: 600 } }]);
      }
      disconnect() {
        return undefined;
      }
    },
  );
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
    "GET /api/v1/items/1/peer": { body: groundingItem(1, changes) },
    "PUT /api/v1/items/1/draft": (asked: Asked) => ({ body: { seq: (asked.body as { seq: number }).seq, findings: [], saved_at: "2026-11-23T09:00:00Z" } }),
    "POST /api/v1/items/1/submit": { body: { item_id: 1, state: "made", revision_no: 1, findings: [], replayed: false } },
    ...replies,
  });
  await renderScreen(<SignedIn />, { at: "/b/x/write/items/1", path: "/b/:slug/write/items/:itemId" });
  await screen.findByTestId("task");
  const sent = (method: string, path: string) => server.asked.filter((one) => one.method === method && one.path.endsWith(path)).map(({ body }) => body);
  return { keys: userEvent.setup({ delay: null }), sent };
}

test("expressions are written about the accepted boxes and submitted to the pair track", async () => {
  const { keys, sent } = await open({ ...writable, draft: emptyDraft });
  const first = await screen.findByTestId("expression-p1");
  expect(document.activeElement).toBe(first);
  expect(sent("PUT", "/draft")).toEqual([]);
  await keys.keyboard("左边的");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  // The second one is still empty.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("expression-p2")));
  await keys.keyboard("抱着碗的");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  expect((await screen.findByTestId("team-done")).textContent).toContain("It is accepted when another person finds everything you mean.");
  await waitFor(() => expect(sent("POST", "/submit")).toMatchObject([{ track: "pair", base_no: 0, content: contentOf("左边的", "抱着碗的") }]));
  expect(sent("PUT", "/draft").every((body) => (body as { track?: string }).track === "pair")).toBe(true);
});

test("an item that came back shows the clicks of the last try on the picture", async () => {
  const rounds = [
    { no: 1, revision_no: 1, outcome: "failed", by: null, clicks: [click(1, "p1"), click(2, "p2", { answer: "not_found", x: null, y: null, hit: "", correct: false })] },
  ];
  const sentBack: PeerItem["sent_back"] = { stage: "clicks", reasons: [], comment: "", by: null };
  await open({ state: "returned", mine: true, sent_back: sentBack, available_actions: ["item_submit"] }, { "GET /api/v1/items/1/clicks": { body: { rounds } } });
  expect((await screen.findByTestId("click-rounds")).textContent).toBe("Try 1 version 11text p1✓ Clicked on it2text p2✗ Not found");
  expect(screen.getByTestId("returned").textContent).toContain("did not find everything");
  await waitFor(() => expect(screen.getByTestId("click-mark").textContent).toBe("✓ 1"));
  expect(await axeFaults()).toEqual([]);
});

test("while the boxes are being changed a notice says so", async () => {
  await open({ ...writable, draft: emptyDraft, base: { ...baseOf(2), current: false } });
  expect(screen.getByTestId("base-changed").textContent).toContain("Boxes");
});

test("a submitted item says who is looking for it, and who decides after the last try", async () => {
  await open({ mine: true, judging: { no: 1, people: 1, done: 0, form: [] } });
  expect((await screen.findByTestId("team-done")).textContent).toContain("Another person is looking for what this means");
  cleanup();
  const rounds = [{ no: 2, revision_no: 2, outcome: "failed", by: null, clicks: [click(1, "p1", { answer: "several", x: null, y: null, hit: "", correct: false })] }];
  await open({ mine: true, judging: null }, { "GET /api/v1/items/1/clicks": { body: { rounds } } });
  expect((await screen.findByTestId("team-done")).textContent).toContain("A reviewer or an inspector decides");
  expect((await screen.findByTestId("click-rounds")).textContent).toContain("More than one fits");
});
