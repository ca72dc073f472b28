import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import type { PeerItem } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { baseOf, click, contentOf, groundingItem } from "@/testing/grounding";
import { memberReplies, teamBoard, teamItem } from "@/testing/peer";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { DecidePage } from "./DecidePage";

beforeEach(() => {
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
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const rounds = [
  {
    ...{ no: 2, revision_no: 1, outcome: "failed", by: null },
    clicks: [click(1, "p2", { text: "抱着碗的熊猫", x: 240, y: 40, hit: "b", correct: false }), click(2, "p1", { text: "最左边的熊猫" })],
  },
  { no: 1, revision_no: 1, outcome: "failed", by: { id: 9, name: "Li" }, clicks: [click(1, "p1", { answer: "several", x: null, y: null, hit: "", correct: false }), click(2, "p2", { x: 20, y: 20, hit: "p1", correct: false })] },
];

function SignedIn() {
  return useSession().data ? (
    <>
      <DecidePage />
      <KeySheets />
    </>
  ) : null;
}

async function open(changes: Partial<PeerItem> = {}) {
  const session = memberReplies(3);
  const { body } = session["GET /api/v1/session"];
  body.benchmarks = body.benchmarks.map((one) => ({ ...one, kinds: ["grounding"] }));
  const shown = (id: number) => groundingItem(id, { available_actions: ["item_decide"], ...changes });
  const board = teamBoard({
    ...{ team: null, kind: "grounding", available_actions: ["item_decide"] },
    results: [1, 2].map((id) => ({ image: groundingItem(id).image, items: [teamItem(id)] })),
  });
  const server = serve({
    ...session,
    "GET /api/v1/benchmarks/x": { body: { protocol: { content: { kinds: { grounding: { track: "pair" } } } }, categories: [] } },
    "GET /api/v1/benchmarks/x/team-board": { body: board },
    "GET /api/v1/items/1/peer": { body: shown(1) },
    "GET /api/v1/items/2/peer": { body: shown(2) },
    "GET /api/v1/items/1/clicks": { body: { rounds } },
    "GET /api/v1/items/2/clicks": { body: { rounds } },
    "POST /api/v1/items/1/decide": { body: shown(1) },
  });
  await renderScreen(<SignedIn />, { at: "/b/x/write/decide", path: "/b/:slug/write/decide" });
  await shows(1);
  const sent = () => server.asked.filter(({ method, path }) => method === "POST" && path.endsWith("/decide")).map(({ body: one }) => one);
  return { keys: userEvent.setup({ delay: null }), sent };
}
const shows = (id: number) => waitFor(() => expect(screen.getByTestId("decide").dataset.item).toBe(`ref-00000${id}`));

test("both tries are listed in the order of the objects and drawn on the picture", async () => {
  await open();
  await waitFor(() => expect(screen.getAllByTestId("click-mark")).toHaveLength(3));
  const list = screen.getByTestId("click-rounds").textContent;
  expect(list).toBe(
    "Try 2 version 11最左边的熊猫✓ Clicked on it2抱着碗的熊猫✗ Clicked on something else" +
      "Try 1 version 1 · Li1text p1✗ More than one fits2text p2✗ Clicked on object 1",
  );
  expect(screen.getAllByTestId("click-mark").map((one) => [one.textContent, one.dataset.correct])).toEqual([
    ["✗ 2 (try 1)", "false"],
    ["✗ 2 (try 2)", "false"],
    ["✓ 1 (try 2)", "true"],
  ]);
  expect(await axeFaults()).toEqual([]);
});

test("an item that is right is accepted, and the next one comes", async () => {
  const { keys, sent } = await open();
  await keys.keyboard("a");
  await shows(2);
  expect(sent()).toMatchObject([{ outcome: "right", revision_no: 1, picture_no: 0 }]);
});

test("it is corrected in place, for another second person", async () => {
  const { keys, sent } = await open();
  await keys.keyboard("e");
  await screen.findByTestId("grounding-editor");
  await keys.type(await screen.findByTestId("expression-p2"), "！");
  await keys.click(screen.getByTestId("correct-save"));
  await shows(2);
  expect(sent()).toMatchObject([{ outcome: "correct", content: contentOf("最左边的熊猫", "抱着碗的熊猫！"), overrides: {} }]);
});

test("it is excluded with a reason", async () => {
  const { keys, sent } = await open();
  await keys.keyboard("r");
  await keys.click(screen.getByTestId("reason-confirm"));
  expect(sent()).toEqual([]);
  await keys.click(screen.getByTestId("reason-several_fit"));
  await keys.click(screen.getByTestId("reason-confirm"));
  await shows(2);
  expect(sent()).toMatchObject([{ outcome: "wrong", reasons: ["several_fit"], comment: "" }]);
});

test("it is left for later, and comes again", async () => {
  const { keys, sent } = await open();
  await keys.keyboard("n");
  await shows(2);
  await keys.keyboard("n");
  await shows(1);
  expect(sent()).toEqual([]);
});

test("while its boxes are being changed nothing can be decided", async () => {
  const { keys, sent } = await open({ base: { ...baseOf(2), current: false } });
  expect(screen.queryByTestId("decide-right")).toBeNull();
  await keys.keyboard("a");
  expect(sent()).toEqual([]);
});
