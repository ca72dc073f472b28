import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import { captionsTree, choice, choiceTree, keyed, numbers, record, text } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { ItemPage } from "./ItemPage";

const name = (en: string) => ({ "zh-Hans": en, "zh-Hant": en, en });
const rules = {
  kind: "captions",
  content: captionsTree(2),
  slots: 2,
  minimum_characters: 8,
  overlap: { measure: "bigram_jaccard", limit_percent: 30 },
  human_checks: [],
  review_reasons: [{ code: "not_true", name: name("Not what the picture shows") }],
  skip_reasons: [],
};
const item = (id: number) => ({
  id,
  number: id,
  label: `cap-00000${id}`,
  kind: "captions",
  track: "package",
  slot: 0,
  state: "returned",
  revision_no: 2,
  accepted_no: null,
  is_restored: false,
  exclusion: null,
  image: { id: 3, label: "img-0003", view_url: "/v", clean_url: "/c", redaction_no: 0, thumb_url: "/t", width: 4, height: 3, category: null },
  content: { captions: ["两只黄狮在跳", "有人在看"] },
  reasons: {},
  rules,
  package: { id: 9, label: "cap-pkg-0001", state: "working" },
  team: null,
  copy_no: 0,
  double: null,
  comments: 0,
  available_actions: ["item_submit"],
});
const revision = (no: number, captions: string[]) => ({
  no,
  author: no === 1 ? { id: 1, name: "Zhang Wei" } : null,
  origin: no === 1 ? "annotator" : "senior",
  content: { captions },
  reasons: {},
  created_at: "2026-01-01T00:00:00Z",
  guideline_version: no === 1 ? 3 : null,
  active_ms: no === 1 ? 200_000 : null,
});

const replies = {
  "GET /api/v1/session": {
    body: { person: { id: 1, username: "a", name: "A", language: "en" }, is_owner: false, benchmarks: [{ slug: "demo", title: name("Trial"), roles: [], operations: ["item_show"], kinds: ["captions"] }], build: "1" },
  },
  "GET /api/v1/benchmarks/demo": { body: { protocol: { content: {} } } },
  "GET /api/v1/items/5": { body: item(5) },
  "GET /api/v1/items/5/history": { body: { revisions: [revision(1, ["两只狮子", "有人"]), revision(2, ["两只狮子", "有人在看"])], verdicts: [], accepted_no: null } },
};

test("an address that asks for the history opens it, and each change names its field", async () => {
  serve(replies);
  const scrollIntoView = vi.fn();
  Element.prototype.scrollIntoView = scrollIntoView;
  await renderScreen(<SignedIn />, { at: "/b/demo/items/5#history", path: "/b/:slug/items/:id" });
  const revisions = await screen.findByTestId("revisions");
  await waitFor(() => expect(document.activeElement).toBe(revisions));
  expect(scrollIntoView.mock.contexts).toEqual([revisions]);
  expect(within(revisions).getByText("Sentence 2")).toBeTruthy();
  expect(within(revisions).queryByText("Sentence 1")).toBeNull();
});

test("a version's changes are shown on the picture, which comes into sight, and hidden again", async () => {
  const box = (key: string) => ({ key, category: "lion", box: [0, 0, 2, 2] });
  const content = (...keys: string[]) => ({ boxes: keys.map(box) });
  const lion = { code: "lion", definition: null, name: name("Lion") };
  const boxRules = { ...rules, kind: "boxes", content: record({ boxes: keyed({ category: choice([lion]), box: numbers(4) }) }), side_minimum: 8, duplicate_percent: 90 };
  const [first, second] = [content("a"), content("a", "b")];
  serve({
    ...replies,
    "GET /api/v1/items/5": { body: { ...item(5), kind: "boxes", rules: boxRules, content: second } },
    "GET /api/v1/items/5/history": {
      body: { revisions: [{ ...revision(1, []), content: first }, { ...revision(2, []), content: second }], verdicts: [], accepted_no: null },
    },
  });
  const scrollIntoView = vi.fn();
  Element.prototype.scrollIntoView = scrollIntoView;
  await renderScreen(<SignedIn />, { at: "/b/demo/items/5", path: "/b/:slug/items/:id" });
  const user = userEvent.setup();
  const button = await screen.findByTestId("show-marks-2");
  await user.click(button);
  expect(button.textContent).toBe("Hide on picture");
  const shown = () => [...document.querySelectorAll<SVGElement>('[data-version="changes"] .region')].map(({ dataset }) => [dataset.region, dataset.tone]);
  await waitFor(() => expect(shown()).toEqual([["a", "muted"], ["b", "good"]]));
  expect(scrollIntoView.mock.contexts).toEqual([document.querySelector(".stage")]);
  await user.click(button);
  expect(button.textContent).toBe("Show on picture");
  expect(shown()).toEqual([]);
});

test("the concepts that a question must not name are on its page, and may be removed there", async () => {
  const bird = { id: 7, local: "朱雀", translated: "Vermilion Bird", aliases: [], explanation: "", available_actions: ["concept_retire"] };
  const session = replies["GET /api/v1/session"].body;
  const [benchmark] = session.benchmarks;
  const content = choiceTree(2, [], text(), text({ lang: "en", language: "translation" }));
  const choiceRules = { ...rules, kind: "multiple_choice", content, options: 2, explanation: false, concept_in_question: "forbidden", drafting: null, blind_trials: null };
  serve({
    ...replies,
    "GET /api/v1/session": { body: { ...session, benchmarks: [{ ...benchmark, operations: ["item_show", "concept_list"] }] } },
    "GET /api/v1/items/5": { body: { ...item(5), kind: "multiple_choice", revision_no: 0, content: null, rules: choiceRules } },
    "GET /api/v1/images/3/concepts": { body: { concepts: [bird], available_actions: [] } },
  });
  await renderScreen(<SignedIn />, { at: "/b/demo/items/5", path: "/b/:slug/items/:id" });
  expect((await screen.findByTestId("concept")).textContent).toContain("朱雀 · Vermilion Bird");
  expect([screen.queryByTestId("concept-retire")?.tagName, screen.queryByTestId("concept-open")]).toEqual(["BUTTON", null]);
});

function SignedIn() {
  return useSession().data ? (
    <>
      <ItemPage />
      <KeySheets />
    </>
  ) : null;
}

afterEach(() => vi.unstubAllGlobals());

test("the page of a team's item leads to where its reader validates and edits it", async () => {
  serve({
    "GET /api/v1/session": {
      body: {
        person: { id: 1, username: "a", name: "A", language: "en" },
        is_owner: false,
        benchmarks: [{ slug: "demo", title: name("Trial"), roles: ["member"], operations: ["item_show"], kinds: ["captions"] }],
        build: "1",
      },
    },
    "GET /api/v1/benchmarks/demo": { body: { protocol: { content: {} } } },
    "GET /api/v1/items/5": {
      body: { ...item(5), revision_no: 0, track: "peer", package: null, team: { id: 7, name: "Egypt" }, available_actions: ["item_submit", "item_star"] },
    },
  });
  const { router } = await renderScreen(<SignedIn />, { at: "/b/demo/items/5", path: "/b/:slug/items/:id" });
  expect((await screen.findByTestId("write")).getAttribute("href")).toBe("/b/demo/team/items/5");
  expect(screen.getByText("Egypt")).toBeTruthy();
  expect(screen.queryByText("Package")).toBeNull();
  await userEvent.setup().keyboard("v");
  expect(router.state.location.pathname + router.state.location.search).toBe("/b/demo/team/validate?kind=captions&team=7&item=5");
});

test("an item's page tells what each version changed, by whom, under which guideline and in what time", async () => {
  const operations = ["item_show", "item_history"];
  serve({
    "GET /api/v1/session": {
      body: {
        person: { id: 1, username: "a", name: "A", language: "en" },
        is_owner: false,
        benchmarks: [{ slug: "demo", title: name("Trial"), roles: ["senior"], operations, kinds: ["captions"] }],
        build: "1",
      },
    },
    "GET /api/v1/benchmarks/demo": { body: { protocol: { content: {} } } },
    "GET /api/v1/items/5": { body: item(5) },
    "GET /api/v1/items/6": { body: item(6) },
    "GET /api/v1/items/5/history": {
      body: {
        accepted_no: null,
        revisions: [revision(1, ["一只黄狮在跳", "有人在看"]), revision(2, ["两只黄狮在跳", "有人在看"])],
        verdicts: [
          {
            revision_no: 2,
            stage: "inspection",
            round: 1,
            outcome: "wrong",
            reasons: ["not_true"],
            comment: "再数一数",
            judge: null,
            created_at: "2026-01-02T00:00:00Z",
          },
        ],
      },
    },
  });
  const { router } = await renderScreen(<SignedIn />, { at: "/b/demo/items/5", path: "/b/:slug/items/:id" });
  const [newest, first] = within(await screen.findByTestId("revisions")).getAllByText(/^Version /);
  const changed = newest?.closest("li");
  expect([changed?.querySelector("del")?.textContent, changed?.querySelector("ins")?.textContent]).toEqual(["一", "两"]);
  expect(changed?.textContent).toContain("Corrected by a reviewer");
  expect(changed?.textContent).toContain("Not what the picture shows");
  expect(changed?.textContent).toContain("1 other part is unchanged");
  expect(first?.closest("li")?.textContent).toContain("Zhang Wei");
  expect(first?.closest("li")?.textContent).toContain("3 min 20 sec spent · under version 3 of the guidelines");

  await router.navigate("/b/demo/items/5", { state: { items: [5, 6] } });
  await screen.findByTestId("next-item");
  await userEvent.setup().keyboard("n");
  expect(router.state.location.pathname).toBe("/b/demo/items/6");
});

test("an item of a team is in no package, and a colleague's star is good", async () => {
  const operations = ["item_show", "item_history"];
  const judged = { stage: "peer", round: 1, outcome: "star", revision_no: 2, judge: { id: 2, name: "ليلى" }, reasons: [], comment: "", created_at: "2026-01-02T00:00:00Z" };
  serve({
    "GET /api/v1/session": {
      body: {
        person: { id: 1, username: "a", name: "A", language: "en" },
        is_owner: false,
        benchmarks: [{ slug: "demo", title: name("Trial"), roles: ["annotator"], operations, kinds: ["captions"] }],
        build: "1",
      },
    },
    "GET /api/v1/benchmarks/demo": { body: { protocol: { content: {} } } },
    "GET /api/v1/items/5": { body: { ...item(5), track: "peer", state: "accepted", package: null } },
    "GET /api/v1/items/5/history": { body: { accepted_no: 2, revisions: [revision(2, ["两只黄狮在跳", "有人在看"])], verdicts: [judged] } },
  });
  await renderScreen(<SignedIn />, { at: "/b/demo/items/5", path: "/b/:slug/items/:id" });
  expect((await screen.findByText("Validation: Star")).className).toContain("chip-good");
  expect(screen.queryByText("Package")).toBeNull();
});

function teamItem(more: object) {
  return { ...item(5), track: "peer", package: null, team: { id: 7, name: "Egypt" }, ...more };
}

const CURATOR = {
  person: { id: 1, username: "a", name: "A", language: "en" },
  is_owner: false,
  benchmarks: [{ slug: "demo", title: name("Trial"), roles: ["curator"], operations: ["item_show"], kinds: ["captions"] }],
  build: "1",
};

test("an accepted item whose picture was covered is confirmed, and says so no more", async () => {
  const waiting = teamItem({ state: "accepted", revision_no: 2, accepted_no: 2, available_actions: ["item_confirm"] });
  let isDone = false;
  const server = serve({
    "GET /api/v1/session": { body: CURATOR },
    "GET /api/v1/benchmarks/demo": { body: { protocol: { content: {} } } },
    "GET /api/v1/items/5": () => ({ body: isDone ? { ...waiting, available_actions: [] } : waiting }),
    "GET /api/v1/items/5/history": { body: { accepted_no: null, revisions: [], verdicts: [] } },
    "POST /api/v1/items/5/confirm": () => {
      isDone = true;
      return { body: { ...waiting, available_actions: [] } };
    },
  });
  await renderScreen(<SignedIn />, { at: "/b/demo/items/5", path: "/b/:slug/items/:id" });
  const keys = userEvent.setup();
  expect((await screen.findByTestId("picture-changed")).textContent).toContain("covered after this was accepted");
  await keys.click(screen.getByTestId("confirm-item"));
  await waitFor(() => expect(screen.queryByTestId("picture-changed")).toBeNull());
  expect(server.asked.find(({ method }) => method === "POST")?.body).toMatchObject({ revision_no: 2 });
});

test("an inspector returns an accepted item of a panel with a reason", async () => {
  const accepted = teamItem({ track: "panel", team: null, state: "accepted", revision_no: 2, accepted_no: 2, available_actions: ["item_reopen"] });
  const server = serve({
    "GET /api/v1/session": { body: CURATOR },
    "GET /api/v1/benchmarks/demo": { body: { protocol: { content: {} } } },
    "GET /api/v1/items/5": { body: accepted },
    "GET /api/v1/items/5/history": { body: { accepted_no: null, revisions: [], verdicts: [] } },
    "POST /api/v1/items/5/reopen": { body: accepted },
  });
  await renderScreen(<SignedIn />, { at: "/b/demo/items/5", path: "/b/:slug/items/:id" });
  const keys = userEvent.setup();
  const sent = () => server.asked.filter(({ method }) => method === "POST").map(({ body }) => body);
  await keys.click(await screen.findByTestId("reopen"));
  await keys.click(screen.getByTestId("reopen-confirm"));
  expect(sent()).toEqual([]);
  await keys.type(screen.getByTestId("reopen-comment"), "朝代不对");
  await keys.click(screen.getByTestId("reopen-confirm"));
  await waitFor(() => expect(sent()).toMatchObject([{ revision_no: 2, reasons: [], comment: "朝代不对" }]));
});

test("a curator excludes an accepted item with a reason, which then stands on its page", async () => {
  const accepted = teamItem({ state: "accepted", revision_no: 2, accepted_no: 2, available_actions: ["item_exclude"] });
  const exclusion = { reason: "The answer is wrong", by: { id: 1, name: "A" }, at: "2026-01-02T00:00:00Z" };
  const excluded = teamItem({ state: "excluded", available_actions: [], exclusion });
  let isDone = false;
  const server = serve({
    "GET /api/v1/session": { body: CURATOR },
    "GET /api/v1/benchmarks/demo": { body: { protocol: { content: {} } } },
    "GET /api/v1/items/5": () => ({ body: isDone ? excluded : accepted }),
    "GET /api/v1/items/5/history": { body: { accepted_no: null, revisions: [], verdicts: [] } },
    "POST /api/v1/items/5/exclude": () => {
      isDone = true;
      return { body: excluded };
    },
  });
  await renderScreen(<SignedIn />, { at: "/b/demo/items/5", path: "/b/:slug/items/:id" });
  const keys = userEvent.setup();
  await keys.click(await screen.findByTestId("exclude"));
  expect(screen.getByTestId("exclude-confirm").hasAttribute("disabled")).toBe(true);
  await keys.type(screen.getByTestId("exclude-reason"), "The answer is wrong");
  await keys.click(screen.getByTestId("exclude-confirm"));
  expect((await screen.findByTestId("exclusion")).textContent).toContain("The answer is wrong");
  expect(screen.queryByTestId("exclude")).toBeNull();
  expect(server.asked.find(({ method }) => method === "POST")?.body).toMatchObject({ revision_no: 2, reason: "The answer is wrong" });
});

test("an item says that its picture was withdrawn and restored", async () => {
  serve({
    "GET /api/v1/session": { body: CURATOR },
    "GET /api/v1/benchmarks/demo": { body: { protocol: { content: {} } } },
    "GET /api/v1/items/5": { body: teamItem({ is_restored: true, available_actions: [] }) },
    "GET /api/v1/items/5/history": { body: { accepted_no: null, revisions: [], verdicts: [] } },
  });
  await renderScreen(<SignedIn />, { at: "/b/demo/items/5", path: "/b/:slug/items/:id" });
  expect((await screen.findByTestId("restored")).textContent).toContain("withdrawn and restored");
  expect(screen.queryByTestId("exclude")).toBeNull();
});
