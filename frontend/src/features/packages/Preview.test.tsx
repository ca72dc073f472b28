import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Answer } from "@/api/request";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Preview } from "./Preview";

const names = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const content = { images: { subsets: [{ code: "A", name: names("A: several of one category") }] } };
const preview: Answer<"package_preview"> = {
  waiting: 0,
  chosen: 0,
  copies: 0,
  left_over: 0,
  size: 4,
  subset: "A",
  seed: 1,
  total: 0,
  packages: [],
  categories: [],
  inspection: { size: 1, errors_allowed: 0, pass_chances: [] },
  warnings: [
    { code: "inspection_weak", params: {} },
    { code: "pictures_without_subset", params: { count: 3 } },
  ],
};
const show = (part: Partial<typeof preview>) => {
  serve({ "GET /api/v1/benchmarks/x": { body: { slug: "x", protocol: { version: 1, name: "x", content, planned: [] }, categories: [] } } });
  return renderScreen(<Preview slug="x" preview={{ ...preview, ...part }} people={[]} />);
};

afterEach(() => vi.unstubAllGlobals());

it("names the subset that the kind is made on, and what is left out without one", async () => {
  await show({});
  expect(await screen.findByText("Only pictures of this subset: A: several of one category.")).toBeTruthy();
  expect(screen.getByTestId("warning-pictures_without_subset").textContent).toContain("3 accepted pictures belong to no subset");
  expect(screen.queryByTestId("warning-inspection_weak")).toBeNull();
});

it("says nothing of subsets for a kind that is made on all pictures", async () => {
  await show({ subset: null, waiting: 4 });
  expect(await screen.findByTestId("preview-chosen")).toBeTruthy();
  expect(screen.queryByTestId("preview-subset")).toBeNull();
});
