import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Home } from "./Home";

afterEach(() => vi.unstubAllGlobals());

const title = { "zh-Hans": "灯", "zh-Hant": "燈", en: "Lanterns" };
const NOTHING = { working: [], returned: [], assigned: [], available: null, available_by_kind: null, to_review: [], to_inspect: [], pools: [], week: null, board: null, images_to_judge: null };
const NONE = { received: 0, accepted: 0, refused: 0, withdrawn: 0 };

async function open(operations: string[], counts: Partial<typeof NONE>, teams: { id: number; name: string }[] = []) {
  const benchmark = { slug: "x", title, operations, kinds: ["captions"], roles: [], teams, consent: { needed: false, given: false } };
  serve({
    "GET /api/v1/session": { body: { person: { id: 1, username: "wang", name: "Wang", language: "en" }, is_owner: false, benchmarks: [benchmark], build: "one" } },
    "GET /api/v1/benchmarks/x": { body: { slug: "x", title, protocol: { version: 1, name: "x", content: {}, planned: [] }, categories: [] } },
    "GET /api/v1/benchmarks/x/waiting": { body: NOTHING },
    "GET /api/v1/benchmarks/x/images/counts": { body: { ...NONE, ...counts } },
  });
  await renderScreen(<Home />, { at: "/b/x", path: "/b/:slug" });
  await screen.findByText("Your tasks");
}

test("a contributor sees what became of their pictures", async () => {
  await open(["upload_create", "image_counts"], { received: 3, accepted: 12, refused: 2 });
  expect((await screen.findByTestId("own-refused")).getAttribute("href")).toBe("/b/x/pictures?state=refused");
  expect(["received", "accepted", "refused"].map((state) => screen.getByTestId(`own-${state}`).textContent)).toEqual(["3", "12", "2"]);
  expect(screen.getByText("Your pictures")).toBeTruthy();
  expect(screen.queryByTestId("own-withdrawn")).toBeNull();
  expect(screen.getAllByRole("term").map((term) => term.parentElement?.tagName)).toEqual(["DL", "DL", "DL"]);
});

test("of a team it counts the team's pictures, and says where there are none", async () => {
  await open(["upload_create", "image_counts"], {}, [{ id: 1, name: "thai" }]);
  expect(await screen.findByText("No pictures added yet.")).toBeTruthy();
  expect(screen.getByText("Pictures of you and your team")).toBeTruthy();
});

test("who judges pictures sees no such counts, because theirs are of all", async () => {
  await open(["upload_create", "image_counts", "image_judge"], { accepted: 12 });
  expect(screen.queryByTestId("own-pictures")).toBeNull();
});
