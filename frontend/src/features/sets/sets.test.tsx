// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { ItemSet, ItemSetDetail, SetScores } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { SetPage } from "./SetPage";
import { SetsPage } from "./SetsPage";

afterEach(() => vi.unstubAllGlobals());

const text = (words: string) => ({ "zh-Hans": words, "zh-Hant": words, en: words });
const asks: ItemSetDetail["asks"] = {
  name: "cvqa",
  language: "en",
  profiles: ["cvqa-mcq/paper", "cvqa-mcq/generated"],
  settings: [
    { name: "located", means: ["likelihood", "text"], prompts: [{ type: "", name: "cvqa-located", languages: ["en", "zh-Hans"] }] },
    { name: "plain", means: ["likelihood", "text"], prompts: [{ type: "", name: "cvqa-plain", languages: ["en"] }] },
  ],
};
const row = (part: Partial<ItemSet>): ItemSet => ({
  id: 4,
  name: "CVQA 的中文部分",
  suite: "cvqa",
  state: "ready",
  fault: null,
  size: 1200,
  pictures: 300,
  sides: ["content", "en"],
  digest: "0".repeat(64),
  gold: { name: "cvqa.jsonl", bytes: 1000, sha256: "1" },
  zip: { name: "pictures.zip", bytes: 2000, sha256: "2" },
  job: null,
  created_by: { id: 1, name: "Li Lei" },
  created_at: "2026-11-27T08:00:00Z",
  ...part,
});
const score = (run: number, value: number, part: Partial<SetScores> = {}): SetScores => ({
  run,
  system: { slug: `s${run}`, name: `System ${run}`, revision: "1", description: text(""), is_demo: false },
  settings: { setting: "located", means: "likelihood", side: "en", language: "en", picture: ["1/2", "Lanczos"] },
  n_expected: 1200,
  n_scored: 1190,
  n_missing: 0,
  n_unparsable: 0,
  n_refused: 0,
  n_failed: 10,
  metrics: [{ profile: "cvqa-mcq/paper", metric: "accuracy", value, low: value - 0.02, high: value + 0.02, n: 1200 }],
  computed_at: "2026-11-27T08:00:00Z",
  ...part,
});
const session = { body: { person: { id: 1 }, benchmarks: [{ slug: "x", operations: ["set_list", "set_create", "set_run_start"], kinds: [], roles: [] }] } };

function served(sets: ItemSet[], more: Parameters<typeof serve>[0] = {}) {
  return serve({
    "GET /api/v1/session": session,
    "GET /api/v1/benchmarks/x/sets": { body: { sets, suites: [asks, { ...asks, name: "vqa" }], limit_bytes: 1_000_000, available_actions: ["set_create", "set_run_start"] } },
    "GET /api/v1/sets/4": { body: { ...row({}), asks, available_actions: ["set_run_start"] } },
    "GET /api/v1/sets/4/scores": { body: [score(8, 0.61), score(7, 0.5)] },
    "GET /api/v1/systems": {
      body: [
        { slug: "encoder", name: "Encoder", state: "ready", is_demo: false, server: "", capabilities: ["embed"] },
        { slug: "tiny", name: "Tiny model", state: "ready", is_demo: true, server: "big", capabilities: ["generate", "likelihood"] },
        { slug: "far", name: "Far model", state: "not_fetched", is_demo: false, server: "", capabilities: ["generate"] },
      ],
    },
    "POST /api/v1/sets/4/runs": { status: 201, body: { id: 9, system: { name: "Tiny model" } } },
    ...more,
  });
}

const openList = () => renderScreen(<SetsPage />, { at: "/b/x/sets", path: "/b/:slug/sets" });
const openSet = () => renderScreen(<SetPage />, { at: "/b/x/sets/4", path: "/b/:slug/sets/:setId" });

test("lists the sets, and says why the files of one are refused", async () => {
  const fault = { code: "picture_missing", file: "cvqa.jsonl", line: 0, field: "image", expected: "6.jpg" } as const;
  served([row({}), row({ id: 5, state: "refused", size: 0, fault })]);
  await openList();
  const first = await screen.findByTestId("set-4");
  expect(within(first).getByRole("link").getAttribute("href")).toBe("/b/x/sets/4");
  expect(within(first).getAllByRole("cell").map((cell) => cell.textContent).slice(1, 4)).toEqual(["ready", "1,200", "300"]);
  expect(screen.getByTestId("set-fault").textContent).toBe("The picture 6.jpg, which cvqa.jsonl names, is not among the files. Add it and make the set again.");
});

test("the sentence of a refused picture is that of its error", async () => {
  served([row({ state: "refused", fault: { code: "picture_refused", file: "", line: 0, field: "a.png", expected: "file_is_svg" } })]);
  await openList();
  const sentence = (await screen.findByTestId("set-fault")).textContent;
  expect(sentence).toContain("The picture a.png was rejected.");
  expect(sentence).toContain("SVG");
});

test("what is missing in the form gets the focus, and nothing is sent", async () => {
  const server = served([]);
  await openList();
  const user = userEvent.setup();
  await user.click(await screen.findByTestId("new-set"));
  await user.click(screen.getByTestId("set-send"));
  expect(document.activeElement).toBe(screen.getByTestId("set-name"));
  expect(screen.getByText("Type a name.")).toBeTruthy();
  await user.type(screen.getByTestId("set-name"), "𠮷题集");
  await user.click(screen.getByTestId("set-send"));
  expect(document.activeElement?.textContent).toBe("Choose the file of questions.");
  expect(server.asked.some(({ method }) => method === "POST")).toBe(false);
});

test("files that are too large are not sent", async () => {
  const server = served([]);
  await openList();
  const user = userEvent.setup();
  await user.click(await screen.findByTestId("new-set"));
  await user.type(screen.getByTestId("set-name"), "A");
  await user.upload(screen.getByTestId("set-gold-file"), new File(["{}"], "gold.json"));
  await user.upload(screen.getByTestId("set-pictures-file"), new File(["x".repeat(1_000_001)], "pictures.zip"));
  await user.click(screen.getByTestId("set-send"));
  expect(screen.getByText(/may have at most/)).toBeTruthy();
  expect(server.asked.some(({ method }) => method === "POST")).toBe(false);
});

test("shows the scores, the best first, with the setting in words and the files", async () => {
  served([]);
  await openSet();
  const best = await screen.findByTestId("score-8");
  expect(screen.getAllByTestId(/^score-\d+$/).map((one) => one.dataset.testid)).toEqual(["score-8", "score-7"]);
  expect(within(best).getByRole("rowheader").textContent).toBe(
    "System 8the likelihood of each option".replace("the likelihood", "with the country · the likelihood") + " · English translation · prompt in English · scaled by 1/2",
  );
  expect(best.textContent).toContain("61%59% – 63%");
  expect(screen.getByTestId("predictions-8").getAttribute("href")).toBe("/api/v1/runs/8/predictions");
  expect(screen.getAllByText("Report cvqa-mcq/paper")[0]?.getAttribute("href")).toBe("/api/v1/runs/8/report?profile=cvqa-mcq%2Fpaper");
});

test("starts a run in the chosen setting, with systems that can answer alone", async () => {
  const server = served([]);
  await openSet();
  const user = userEvent.setup();
  await user.click(await screen.findByTestId("start-set-run"));
  const systems = await screen.findByTestId("set-run-system");
  expect(within(systems).getAllByRole("option").map((one) => one.textContent)).toEqual(["Tiny model"]);
  expect(screen.getByText(/are sent to the model server big/)).toBeTruthy();
  expect(screen.getByTestId<HTMLSelectElement>("set-run-language").value).toBe("en");
  await user.selectOptions(screen.getByTestId("set-run-language"), "zh-Hans");
  await user.selectOptions(screen.getByTestId("set-run-means"), "text");
  await user.selectOptions(screen.getByTestId("set-run-picture"), "none");
  await user.click(screen.getByTestId("set-run-confirm"));
  await waitFor(() => expect(server.asked.some(({ method }) => method === "POST")).toBe(true));
  const { body } = server.asked.find(({ method }) => method === "POST") ?? {};
  expect(body).toMatchObject({ system: "tiny", setting: "located", means: "text", language: "zh-Hans", side: "content", picture: false, scale: "1" });
});

test("a setting whose prompt has one language offers no other", async () => {
  served([]);
  await openSet();
  const user = userEvent.setup();
  await user.click(await screen.findByTestId("start-set-run"));
  await user.selectOptions(await screen.findByTestId("set-run-setting"), "plain");
  expect(screen.queryByTestId("set-run-language")).toBeNull();
});
