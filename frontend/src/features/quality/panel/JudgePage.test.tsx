import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import type { FormField, HeldPeerItem, PeerPool } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { heldItem, memberReplies, peerItem } from "@/testing/peer";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { JudgePage } from "./JudgePage";

afterEach(async () => {
  // Leaving the page still talks to the server: it goes before the stand-in does.
  cleanup();
  await new Promise((done) => setTimeout(done));
  vi.unstubAllGlobals();
});

const name = (en: string) => ({ "zh-Hans": en, "zh-Hant": en, en });
const LEVEL: FormField = {
  type: "level",
  code: "difficulty",
  name: name("Difficulty"),
  required: true,
  options: ["easy", "hard"].map((code) => ({ code, name: name(code) })),
};
const POOL = "/api/v1/benchmarks/x/peer-pool";

function before(id: number, form: FormField[] = [{ type: "pass" }]): HeldPeerItem {
  const judging = { no: 1, people: 2, done: 1, form };
  return heldItem(id, { track: "panel", team: null, author: null, judging, available_actions: ["item_judge"] });
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

function SignedIn() {
  return useSession().data ? (
    <>
      <JudgePage />
      <KeySheets />
    </>
  ) : null;
}

async function open(items: HeldPeerItem[], replies: Parameters<typeof serve>[0] = {}) {
  const server = serve({
    ...memberReplies(3),
    "GET /api/v1/benchmarks/x": { body: { protocol: { content: { kinds: { captions: { track: "panel" } } } }, categories: [] } },
    [`GET ${POOL}`]: { body: pool([]) },
    [`POST ${POOL}/claim`]: { body: pool(items) },
    [`POST ${POOL}/release`]: { body: { kept: [], lost: [] } },
    "POST /api/v1/items/1/judge": { body: peerItem(1, { track: "panel" }) },
    ...replies,
  });
  await renderScreen(<SignedIn />, { at: "/b/x/write/judge", path: "/b/:slug/write/judge" });
  const keys = userEvent.setup({ delay: null });
  await screen.findByTestId("start");
  await keys.keyboard("{Enter}");
  await shows(1);
  const verdicts = () => server.asked.filter(({ method, path }) => method === "POST" && path.endsWith("/judge")).map(({ body }) => body);
  return { keys, verdicts, server };
}
const shows = (id: number) => waitFor(() => expect(screen.getByTestId("judge").dataset.item).toBe(`cap-00000${id}`));

test("passing an item brings the next one; how many verdicts are in is shown, what they are is not", async () => {
  const { keys, verdicts } = await open([before(1), before(2)]);
  expect(screen.getByTestId("verdicts-in").textContent).toBe("1 of 2 verdicts are in");
  expect(screen.queryByText("Mona")).toBeNull();
  expect(await axeFaults()).toEqual([]);
  await keys.keyboard("a");
  await shows(2);
  expect(verdicts()).toMatchObject([{ outcome: "pass", revision_no: 1, picture_no: 0, reasons: [], comment: "", values: {} }]);
});

test("a failure needs a reason or a comment", async () => {
  const { keys, verdicts } = await open([before(1), before(2)]);
  await keys.keyboard("r");
  await keys.click(screen.getByTestId("reason-confirm"));
  expect(verdicts()).toEqual([]);
  await keys.click(screen.getByTestId("reason-language"));
  await keys.type(screen.getByTestId("reason-comment"), "朝代不对，𠮷");
  await keys.click(screen.getByTestId("reason-confirm"));
  await shows(2);
  expect(verdicts()).toMatchObject([{ outcome: "fail", reasons: ["language"], comment: "朝代不对，𠮷" }]);
});

test("a required field of the form keeps a verdict back until it has a value", async () => {
  const form: FormField[] = [{ type: "pass" }, LEVEL, { ...LEVEL, type: "labels", code: "tags", required: false }];
  const { keys, verdicts } = await open([before(1, form)]);
  await keys.keyboard("a");
  expect(screen.getByText("Difficulty needs a value.")).toBeTruthy();
  expect(verdicts()).toEqual([]);
  const [hard] = screen.getAllByTestId("option-hard");
  if (hard) await keys.click(hard);
  await keys.click(screen.getByTestId("pass"));
  await waitFor(() => expect(verdicts()).toMatchObject([{ outcome: "pass", values: { difficulty: "hard" } }]));
});

test("an item that changed meanwhile is left with a sentence", async () => {
  const stale = { status: 409, body: { code: "stale_row", params: {}, detail: "" } };
  const { keys } = await open([before(1), before(2)], { "POST /api/v1/items/1/judge": stale });
  await keys.keyboard("a");
  await shows(2);
  expect(screen.getByRole("alert").textContent).not.toBe("");
});
