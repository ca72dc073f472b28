import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { captionsTree } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { PoolPage } from "./PoolPage";

afterEach(async () => {
  // Leaving the page still talks to the server: it goes before the stand-in does.
  cleanup();
  await new Promise((done) => setTimeout(done));
  vi.unstubAllGlobals();
});

const item = (id: number) => ({
  id,
  number: id,
  label: `cap-00000${id}`,
  position: id,
  state: "made",
  revision_no: 1,
  image: { id, label: `img-000${id}`, view_url: "/view", clean_url: "/clean", redaction_no: 0, thumb_url: "/thumb", width: 4, height: 3, category: null },
  content: { captions: ["两只舞狮站在牌楼前面"] },
  draft: null,
  findings: [],
  reasons: {},
  returned: null,
  skipped: null,
  comments: 0,
  checked: true,
  author: null,
  origin: "annotator",
  revisions_count: 1,
  review: null,
  seat: id + 100,
  lease_until: "2026-11-21T10:00:00Z",
  package: 9,
  package_label: "cap-pkg-0009",
  round: 1,
});
const rules = {
  kind: "captions",
  content: captionsTree(1),
  slots: 1,
  minimum_characters: 8,
  overlap: { measure: "bigram_jaccard", limit_percent: 30 },
  human_checks: [],
  review_reasons: [],
  skip_reasons: [],
};
const pool = (part: object = {}) => ({
  purpose: "review",
  kind: "captions",
  free: 8,
  held: 0,
  done: 3,
  mine: 0,
  held_maximum: 2,
  people: 1,
  rules,
  lease_seconds: 600,
  heartbeat_seconds: 60,
  items: [],
  ...part,
});

async function open(replies: Parameters<typeof serve>[0] = {}, shown: object = {}, track: object = { review_pool: { people: 1, held: 2 } }) {
  const server = serve({
    "GET /api/v1/session": {
      body: { person: { id: 2 }, benchmarks: [{ slug: "x", operations: ["pool_claim", "item_review"], kinds: ["captions"], roles: [] }] },
    },
    "GET /api/v1/benchmarks/x": { body: { protocol: { content: { tracks: { package: track } } }, categories: [] } },
    "GET /api/v1/benchmarks/x/pools/review": { body: pool(shown) },
    "POST /api/v1/benchmarks/x/pools/review/claim": { body: pool({ free: 6, held: 2, mine: 2, items: [item(1), item(2)] }) },
    "POST /api/v1/benchmarks/x/pools/review/release": { body: pool() },
    "POST /api/v1/items/1/review": (asked: Asked) => ({ body: { ...item(1), review: { ...(asked.body as object), judge: null } } }),
    ...replies,
  });
  const element = (
    <>
      <PoolPage />
      <KeySheets />
    </>
  );
  const view = await renderScreen(element, { at: "/b/x/pools/review", path: "/b/:slug/pools/:purpose" });
  const posts = () => server.asked.filter((one) => one.method === "POST").map((one) => [one.path.replace("/api/v1/", ""), one.body]);
  return { ...view, keys: userEvent.setup({ delay: null }), posts };
}

test("by keys: take what fits in the hand, accept one; leaving sends it and hands the other back", async () => {
  const { keys, posts, unmount } = await open();
  expect((await screen.findByTestId("empty")).textContent).toContain("8 items available");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByTestId("card-cap-000002");
  expect(screen.getByTestId("lease").textContent).toContain("You hold 2");
  await keys.keyboard("a");
  expect(screen.getByTestId("outcome-cap-000001").dataset.outcome).toBe("accept");
  expect(posts()).toHaveLength(1); // the verdict can still be undone
  unmount();
  await waitFor(() => expect(posts()).toHaveLength(3));
  expect(posts()).toMatchObject([
    ["benchmarks/x/pools/review/claim", { kind: "captions", count: 2 }],
    ["items/1/review", { outcome: "accept", revision_no: 1 }],
    ["benchmarks/x/pools/review/release", { seats: [102] }],
  ]);
});

test("more is taken as soon as all is decided: what was held for undo is sent first", async () => {
  const { keys, posts } = await open({
    "POST /api/v1/items/2/review": (asked: Asked) => ({ body: { ...item(2), review: { ...(asked.body as object), judge: null } } }),
  });
  await screen.findByTestId("empty");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByTestId("card-cap-000002");
  expect(screen.getByTestId("pool-claim").textContent).toContain("You hold the maximum number of items");
  await keys.keyboard("aa");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(posts()).toHaveLength(4));
  expect(posts().map(([path]) => path)).toEqual([
    "benchmarks/x/pools/review/claim",
    "items/1/review",
    "items/2/review",
    "benchmarks/x/pools/review/claim",
  ]);
});

test("an empty pool says how many are held and until when", async () => {
  const refusal = { status: 409, body: { code: "pool_empty", params: { held: 4, until: "2026-11-21T10:30:00Z" }, detail: "" } };
  const { keys } = await open({ "POST /api/v1/benchmarks/x/pools/review/claim": refusal }, { free: 0, held: 4 });
  expect((await screen.findByTestId("empty")).textContent).toContain("others hold 4");
  await keys.click(screen.getByTestId("pool-claim"));
  await waitFor(() => expect(screen.getByTestId("empty").textContent).toMatch(/may be released at \d/));
});

test("a protocol without a pool says where the work is instead", async () => {
  await open({}, {}, {});
  expect((await screen.findByTestId("empty")).textContent).toContain("no pool");
});
