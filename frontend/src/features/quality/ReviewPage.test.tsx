import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { captionsTree } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { Toasts } from "@/ui/Toasts";
import { ReviewPage } from "./ReviewPage";

const name = (en: string) => ({ "zh-Hans": en, "zh-Hant": en, en });
const item = (id: number) => ({
  id,
  number: id,
  label: `cap-00000${id}`,
  position: id,
  state: "made",
  revision_no: 1,
  image: {
    id,
    label: `img-000${id}`,
    view_url: "/view",
    clean_url: "/clean",
    redaction_no: 0,
    thumb_url: "/thumb",
    width: 4,
    height: 3,
    category: null,
  },
  content: { captions: ["两只舞狮站在牌楼前面"] },
  draft: null,
  findings: [],
  reasons: {},
  returned: null,
  skipped: null,
  comments: 0,
  checked: true,
  author: { id: 1, name: "Zhang Wei" },
  origin: "annotator",
  revisions_count: 1,
  review: null,
});
const sheet = {
  id: 9,
  label: "cap-pkg-0001",
  kind: "captions",
  state: "reviewing",
  revision: 4,
  assignee: { id: 1, name: "Zhang Wei" },
  available_actions: ["item_review", "package_review_complete"],
  rules: {
    kind: "captions",
    content: captionsTree(1),
    slots: 1,
    minimum_characters: 8,
    overlap: { measure: "bigram_jaccard", limit_percent: 30 },
    human_checks: [],
    review_reasons: [
      { code: "not_true", name: name("Not what the picture shows") },
      { code: "speech", name: name("Tells what a person might say") },
    ],
    skip_reasons: [],
  },
  items: [item(1), item(2)],
};

afterEach(() => vi.unstubAllGlobals());

async function open(items: object[] = sheet.items, revisions: object[] = []) {
  const judged = (id: number) => (asked: Asked) => {
    const given = asked.body as { outcome: string; reasons: string[]; comment: string };
    return { body: { ...item(id), review: { ...given, round: 1, judge: { id: 2, name: "Wang Fang" } } } };
  };
  const server = serve({
    "GET /api/v1/benchmarks/demo": { body: { protocol: { content: {} } } },
    "GET /api/v1/packages/9/sheet": { body: { ...sheet, items } },
    "GET /api/v1/items/1/history": { body: { revisions, verdicts: [] } },
    "POST /api/v1/items/1/review": judged(1),
    "POST /api/v1/items/2/review": judged(2),
    "POST /api/v1/packages/9/complete-review": { body: { ...sheet, state: "returned", available_actions: [] } },
  });
  const keys = userEvent.setup({ delay: null });
  const element = (
    <>
      <ReviewPage />
      <KeySheets />
      <Toasts />
    </>
  );
  const { router } = await renderScreen(element, {
    at: "/b/demo/packages/9/review",
    path: "/b/:slug/packages/:packageId/review",
  });
  await screen.findByTestId("card-cap-000001");
  const verdicts = () => server.asked.filter((one) => one.method === "POST").map((one) => [one.path, one.body]);
  return { keys, verdicts, router };
}

test("a whole review by keys: accept, send back with a reason by number, complete", async () => {
  const { keys, verdicts, router } = await open();
  await keys.keyboard("a");
  await keys.keyboard("r");
  await keys.keyboard("2");
  expect(verdicts()).toEqual([]); // both can still be undone
  await keys.keyboard("{Control>}{Enter}{/Control}");
  expect(screen.getByTestId("decided").textContent).toBe("2 of 2 reviewed");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/b/demo/packages/9"));
  expect(verdicts()).toMatchObject([
    ["/api/v1/items/1/review", { outcome: "accept", revision_no: 1, reasons: [] }],
    ["/api/v1/items/2/review", { outcome: "return", revision_no: 1, reasons: ["speech"] }],
    ["/api/v1/packages/9/complete-review", { revision: 4 }],
  ]);
});

test("the history shows the first version whole and of later ones what changed", async () => {
  const version = (no: number, ...captions: string[]) => ({ no, author: { id: 3, name: "Li Na" }, origin: "annotator", created_at: "2026-01-01T00:00:00Z", content: { captions }, findings: [], reasons: {}, active_ms: null, guideline_version: null });
  const { keys } = await open(sheet.items, [version(1, "一杯茶", "红灯笼"), version(2, "两杯茶", "红灯笼")]);
  await keys.click(screen.getByTestId("history-cap-000001"));
  const [first, second] = within(await screen.findByTestId("history")).getAllByRole("listitem").filter((row) => row.textContent.includes("Version"));
  expect(first?.textContent).toContain("一杯茶");
  expect([second?.querySelector("del")?.textContent, second?.querySelector("ins")?.textContent]).toEqual(["一", "两"]);
});

test("Space opens the picture and closes it, and Escape closes the history before it leaves the page", async () => {
  const { keys, router } = await open();
  await keys.keyboard(" ");
  const closes = within(screen.getByTestId("full-picture")).getByRole("button", { name: /Close/ });
  expect(document.activeElement).toBe(closes);
  await keys.keyboard(" ");
  expect(screen.queryByTestId("full-picture")).toBeNull();

  await keys.click(screen.getByTestId("history-cap-000001"));
  expect(await screen.findByTestId("history")).toBeTruthy();
  await keys.keyboard("{Escape}");
  expect(screen.queryByTestId("history")).toBeNull();
  expect(router.state.location.pathname).toBe("/b/demo/packages/9/review");
  await keys.keyboard("{Escape}");
  expect(router.state.location.pathname).toBe("/b/demo/packages/9");
});

test("a second round opens with the earlier reason and what was changed since", async () => {
  const verdict = { outcome: "return", reasons: ["speech"], comment: "他在说什么？", round: 1, judge: { id: 2, name: "Wang Fang" } };
  const earlier = (text: string) => ({ revision_no: 1, content: { captions: [text] }, stage: "review", verdict });
  await open([
    { ...item(1), revision_no: 2, earlier: earlier("两只舞狮说话") },
    { ...item(2), revision_no: 2, earlier: earlier("两只舞狮站在牌楼前面") },
    { ...item(3), earlier: null },
  ]);
  const first = screen.getByTestId("earlier-cap-000001");
  expect(first.textContent).toContain("Returned by the reviewer in round 1: Wang Fang Tells what a person might say 他在说什么？");
  expect([...first.querySelectorAll("del")].map(({ textContent }) => textContent)).toEqual(["说话"]);
  expect([...first.querySelectorAll("ins")].map(({ textContent }) => textContent)).toEqual(["站在牌楼前面"]);
  expect(screen.getByTestId("earlier-cap-000002").textContent).toContain("Nothing was changed since.");
  expect(screen.queryByTestId("earlier-cap-000003")).toBeNull();
});

test("undo takes the last verdict back before it is sent", async () => {
  const { keys, verdicts } = await open();
  await keys.keyboard("a");
  expect(screen.getByTestId("outcome-cap-000001").dataset.outcome).toBe("accept");
  await keys.keyboard("z");
  expect(screen.queryByTestId("outcome-cap-000001")).toBeNull();
  expect(verdicts()).toEqual([]);
});

test("sending back without a reason is not taken", async () => {
  const { keys } = await open();
  await keys.keyboard("r");
  await keys.click(screen.getByTestId("reason-confirm"));
  expect(screen.getByText(/Choose or write a reason/)).toBeTruthy();
  expect(screen.getByTestId("decided").textContent).toBe("0 of 2 reviewed");
});

test("completing too early says how much is left, goes there and sends nothing", async () => {
  const { keys, verdicts, router } = await open();
  await keys.keyboard("a");
  await keys.keyboard("p");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  expect(await screen.findByText("1 item is not judged yet; here is the first.")).toBeTruthy();
  expect([router.state.location.pathname, verdicts()]).toEqual(["/b/demo/packages/9/review", []]);
  await keys.keyboard("a");
  expect(screen.getByTestId("outcome-cap-000002").dataset.outcome).toBe("accept");
});
