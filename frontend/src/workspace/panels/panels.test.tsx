import "fake-indexeddb/auto";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import { deleteBrowserStore } from "@/testing/browserStore";
import { captionsTree } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { deliveryOf } from "../saving/delivery";
import { WorkspacePage } from "../WorkspacePage";

const name = (en: string) => ({ "zh-Hans": en, "zh-Hant": en, en });
const rules = {
  kind: "captions",
  content: captionsTree(1),
  slots: 1,
  minimum_characters: 8,
  overlap: { measure: "bigram_jaccard", limit_percent: 30 },
  human_checks: [],
  review_reasons: [],
  skip_reasons: [
    { code: "blurred", name: name("Too blurred") },
    { code: "not_of_the_topic", name: name("Not of the topic") },
  ],
};
const pkg = {
  id: 9,
  number: 1,
  label: "cap-pkg-0001",
  kind: "captions",
  state: "working",
  round: 0,
  revision: 1,
  size: 2,
  written: 0,
  checked: 0,
  assignee: { id: 1, name: "Zhang Wei" },
  reviewer: null,
  state_changed_at: "2026-01-01T00:00:00Z",
  available_actions: [],
};
const item = (position: number) => ({
  id: 100 + position,
  number: position,
  label: `cap-00000${position}`,
  position,
  state: "todo",
  revision_no: 0,
  image: { id: position, label: `img-000${position}`, view_url: "/v", clean_url: "/c", redaction_no: 0, thumb_url: "/t", width: 4, height: 3, category: null },
  content: null,
  draft: null,
  findings: [],
  reasons: {},
  returned: null,
  checked: false,
});
const guideline = {
  kind: "captions",
  version: 2,
  versions: [
    { version: 1, created_at: "2026-01-01T00:00:00Z", by: null, note: "", acknowledged_by: 4 },
    { version: 2, created_at: "2026-02-01T00:00:00Z", by: null, note: "Costumes are named", acknowledged_by: 0 },
  ],
  text: name("Write **what is there**."),
  acknowledged: false,
};
const submitted = { body: { item_id: 101, state: "made", revision_no: 1, findings: [], replayed: false } };

let person = 500;

function SignedIn() {
  return useSession().data ? (
    <>
      <WorkspacePage />
      <KeySheets />
    </>
  ) : null;
}

async function open(told: object, replies: Parameters<typeof serve>[0] = {}) {
  person += 1;
  const server = serve({
    "GET /api/v1/session": {
      body: { person: { id: person, username: "a", name: "A", language: "en" }, is_owner: false, benchmarks: [], build: "1" },
    },
    "GET /api/v1/benchmarks/demo": { body: { protocol: { content: {} } } },
    "GET /api/v1/packages/9/next": (asked: Asked) => ({
      body: { package: pkg, rules, items: [item(1), item(2)].filter((one) => one.position > Number(asked.query.get("after"))), ...told },
    }),
    "PUT /api/v1/items/101/draft": (asked: Asked) => ({
      body: { seq: (asked.body as { seq: number }).seq, findings: [], saved_at: "2026-01-01T00:00:00Z" },
    }),
    "GET /api/v1/benchmarks/demo/guidelines/captions": { body: guideline },
    "POST /api/v1/benchmarks/demo/guidelines/captions/acknowledge": { body: { version: 2, acknowledged: true } },
    ...replies,
  });
  const keys = userEvent.setup({ delay: null });
  await renderScreen(<SignedIn />, { at: "/b/demo/work/9", path: "/b/:slug/work/:packageId" });
  await screen.findByTestId("task");
  const bodies = (path: string) => server.asked.filter((one) => one.method === "POST" && one.path.endsWith(path)).map(({ body }) => body);
  return { server, keys, bodies };
}

beforeEach(() => {
  HTMLImageElement.prototype.decode = () => Promise.resolve();
});
afterEach(async () => {
  cleanup();
  deliveryOf(person).stop();
  await deleteBrowserStore();
  vi.unstubAllGlobals();
});

describe("the guideline", () => {
  test("comes first with what changed when its version is new, and one key acknowledges it", async () => {
    const { keys, bodies } = await open({ guideline: { version: 2, acknowledged: false } });
    expect((await screen.findByTestId("guideline-unconfirmed")).textContent).toContain("Costumes are named");
    await keys.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByTestId("rules")).toBeNull());
    expect(bodies("/acknowledge")).toEqual([{ version: 2 }]);
    expect(document.activeElement).toBe(screen.getByTestId("caption-1"));
  });

  test("that changed in the middle of work keeps the submitted text and sends it once it is acknowledged", async () => {
    let isNew = true;
    const { keys, bodies } = await open(
      { guideline: { version: 1, acknowledged: true } },
      {
        "POST /api/v1/items/101/submit": () =>
          isNew
            ? { status: 409, body: { code: "guideline_not_acknowledged", params: { kind: "captions", version: 2 }, detail: "" } }
            : submitted,
      },
    );
    fireEvent.change(screen.getByTestId("caption-1"), { target: { value: "两只舞狮站在牌楼前面" } });
    await keys.keyboard("{Control>}{Enter}{/Control}");
    await screen.findByTestId("guideline-unconfirmed");
    isNew = false;
    await keys.keyboard("{Alt>}a{/Alt}");
    await waitFor(() => expect(bodies("/submit")).toHaveLength(2));
    const [first, second] = bodies("/submit") as { client_key: string; guideline: number }[];
    expect([first?.guideline, second?.guideline]).toEqual([1, 2]);
    expect(second?.client_key).toBe(first?.client_key);
    await waitFor(() => expect(deliveryOf(person).outbox.snapshot().entries).toEqual([]));
  });

  test("opens and closes beside the fields without taking the focus from them", async () => {
    const { keys } = await open({ guideline: { version: 2, acknowledged: true } });
    screen.getByTestId("caption-1").focus();
    await keys.keyboard("{Alt>}g{/Alt}");
    expect((await screen.findByText("what is there")).tagName).toBe("STRONG");
    expect(document.activeElement).toBe(screen.getByTestId("caption-1"));
    await keys.keyboard("{Escape}");
    expect(screen.queryByTestId("rules")).toBeNull();
    expect(screen.queryByTestId("elsewhere")).toBeNull();
  });
});

describe("leaving an item out", () => {
  test("takes a reason by its number, continues at once and is sent on the way of submissions", async () => {
    const { keys, bodies } = await open(
      {},
      { "POST /api/v1/items/101/skip": { body: { item_id: 101, state: "skipped", replayed: false } } },
    );
    screen.getByTestId("caption-1").focus();
    await keys.keyboard("{Alt>}s{/Alt}");
    await screen.findByTestId("skip-blurred");
    await keys.keyboard("{Enter}");
    expect(bodies("/skip")).toEqual([]);
    await keys.keyboard("2{Enter}");
    expect(screen.getByTestId("task").dataset.item).toBe("cap-000002");
    await waitFor(() => expect(bodies("/skip")).toHaveLength(1));
    expect(bodies("/skip")[0]).toMatchObject({ base_no: 0, reasons: ["not_of_the_topic"], comment: "" });
    await keys.keyboard("{PageUp}");
    expect((await screen.findByTestId("skipped")).textContent).toContain("Not of the topic");
  });
});

describe("comments", () => {
  test("mention a person by keys and submit nothing", async () => {
    await import("./CommentsPanel"); // its first import takes longer than a search waits
    const said = { id: 3, author: null, part: "annotator", text: "", mentions: [], created_at: "2026-01-01T00:00:00Z", mine: true };
    const { keys, bodies } = await open(
      {},
      {
        "GET /api/v1/items/101/comments": { body: [] },
        "GET /api/v1/items/101/people": {
          body: [
            { id: 7, name: "Wang Fang", part: "reviewer" },
            { id: 8, name: "Wen Li", part: "administrator" },
          ],
        },
        "POST /api/v1/items/101/comments": (asked: Asked) => ({ status: 201, body: { ...said, ...(asked.body as object), mentions: [] } }),
      },
    );
    screen.getByTestId("caption-1").focus();
    await keys.keyboard("{Alt>}c{/Alt}");
    await screen.findByText(/No comments yet/);
    await keys.keyboard("Unsure, @w");
    await screen.findByTestId("comment-names");
    await keys.keyboard("{ArrowDown}{Enter}please{Control>}{Enter}{/Control}");
    expect(await screen.findByText(/please/)).toBeTruthy();
    expect(bodies("/comments")[0]).toMatchObject({ text: "Unsure, @Wen Li please", mentions: [8] });
    expect(bodies("/submit")).toEqual([]);
    await keys.keyboard("{Escape}");
    expect(document.activeElement).toBe(screen.getByTestId("caption-1"));
  });
});
