import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { captionsTree } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { PackagePage } from "./PackagePage";

const name = (en: string) => ({ "zh-Hans": en, "zh-Hant": en, en });
const item = (id: number, state: string, returned: object | null) => ({
  id,
  number: id,
  label: `cap-00000${id}`,
  position: id,
  state,
  revision_no: 1,
  image: { id, label: `img-000${id}`, view_url: "/v", clean_url: "/c", redaction_no: 0, thumb_url: "/t", width: 4, height: 3, category: null },
  language: null,
  content: { captions: ["两只舞狮站在牌楼前面"] },
  draft: null,
  findings: [],
  reasons: {},
  returned,
  is_restored: false,
  is_corrected: id === 3,
  skipped: null,
  comments: 0,
  checked: false,
});
const because = { stage: "review", reasons: ["not_true"], comment: "没有牌楼", by: null };
const pkg = (actions: string[]) => ({
  id: 9,
  label: "cap-pkg-0001",
  kind: "captions",
  state: "returned",
  state_changed_at: "2026-01-01T00:00:00Z",
  revision: 4,
  round: 1,
  size: 3,
  written: 3,
  checked: 1,
  assignee: { id: 1, name: "Zhang Wei" },
  reviewer: null,
  available_actions: actions,
  rules: { kind: "captions", content: captionsTree(1), slots: 1, minimum_characters: 8, overlap: { measure: "bigram_jaccard", limit_percent: 30 }, human_checks: [], review_reasons: [], skip_reasons: [] },
  items: [item(1, "returned", because), item(2, "made", because), item(3, "made", null)],
});

afterEach(() => vi.unstubAllGlobals());

async function open(actions: string[]) {
  const server = serve({
    "GET /api/v1/session": {
      body: { person: { id: 1, username: "a", name: "A", language: "en" }, is_owner: false, benchmarks: [{ slug: "demo", title: name("Trial"), roles: [], operations: ["package_show"], kinds: ["captions"] }], build: "1" },
    },
    "GET /api/v1/benchmarks/demo": { body: { protocol: { content: { tracks: { package: { review_reasons: [{ code: "not_true", name: name("Not what the picture shows") }] } } } } } },
    "GET /api/v1/packages/9": { body: pkg(actions) },
    "POST /api/v1/packages/9/withdraw": { body: pkg([]) },
  });
  await renderScreen(<PackagePage />, { at: "/b/demo/packages/9", path: "/b/:slug/packages/:packageId" });
  const rows = within(await screen.findByTestId("package-items")).getAllByRole("listitem");
  const sent = () => server.asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body]);
  return { rows: rows.filter((row) => row.parentElement?.dataset.testid === "package-items"), sent };
}
const chips = (row: HTMLElement | undefined) => [...(row?.querySelectorAll(".chip") ?? [])].map((chip) => chip.textContent);

test("a returned item has one chip, and its reason beside it; a corrected one also says that it was returned", async () => {
  const { rows } = await open([]);
  expect(rows.map(chips)).toEqual([["Returned"], ["Returned", "Written"], ["Corrected by reviewer", "Written"]]);
  expect(await screen.findByText(/Not what the picture shows/, { selector: "[data-testid=returned-cap-000001]" })).toBeTruthy();
  expect(screen.getByTestId("returned-cap-000001").textContent).toBe("Returned: Not what the picture shows 没有牌楼");
  expect(screen.queryByTestId("returned-cap-000003")).toBeNull();
});

test.each([
  [["package_resume"], "This package was returned with 2 items to correct. Fix them, check them again, then resubmit."],
  [[], "Returned to the annotator with 2 items to correct; the reasons are beside the items."],
])("only the annotator reads what to do (%j)", async (actions, text) => {
  await open(actions);
  expect(await screen.findByText(text)).toBeTruthy();
});

test("a package is withdrawn only after it is confirmed", async () => {
  const { sent } = await open(["package_withdraw"]);
  const user = userEvent.setup();
  await user.click(screen.getByTestId("manage-withdraw"));
  expect(screen.getByTestId("manage").textContent).toContain("Withdraws cap-pkg-0001.");
  await user.click(screen.getByRole("button", { name: /Cancel/ }));
  await user.click(screen.getByTestId("manage-withdraw"));
  expect(sent()).toEqual([]);
  await user.click(screen.getByTestId("manage-confirm"));
  await waitFor(() => expect(sent()).toMatchObject([["/api/v1/packages/9/withdraw", { revision: 4 }]]));
});

test("opening a form gives it the focus, closing it gives the focus back", async () => {
  await open(["package_withdraw", "package_assign"]);
  const user = userEvent.setup();
  await user.click(screen.getByTestId("manage-assign"));
  expect(document.activeElement).toBe(screen.getByRole("combobox"));
  await user.click(screen.getByRole("button", { name: /Cancel/ }));
  expect(document.activeElement).toBe(screen.getByTestId("manage-assign"));
  // Nothing is to be typed: the button that changes nothing, so that Enter withdraws no package.
  await user.click(screen.getByTestId("manage-withdraw"));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: /Cancel/ }));
});
