import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { boxes } from "@/kinds/boxes/view";
import { choice, keyed, numbers, record } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Double } from "./Double";

afterEach(() => vi.unstubAllGlobals());

const names = (en: string) => ({ "zh-Hans": en, "zh-Hant": en, en });
const categories = [
  { code: "panda", name: names("panda"), definition: null, search: [] },
  { code: "bowl", name: names("bowl"), definition: null, search: [] },
];
const rules = {
  kind: "boxes",
  content: record({ boxes: keyed({ category: { ...choice(), choices: categories }, box: numbers(4) }) }),
  side_minimum: 8,
  duplicate_percent: 90,
  double_percent: 5,
  human_checks: [],
  review_reasons: [],
  skip_reasons: [],
};
const box = (key: string, category: string) => ({ key, category, box: [10, 10, 20, 20] });
const version = (item: number, author: string, ...drawn: object[]) => ({
  item,
  label: `box-00000${item}`,
  package: "box-pkg-0001",
  author: { id: item, name: author },
  revision_no: 1,
  content: { boxes: drawn },
});
const compared = {
  kind: "boxes",
  image: { id: 3, label: "img-0003", view_url: "/v", clean_url: "/c", thumb_url: "/t", width: 40, height: 30, category: null },
  rules,
  one: version(5, "Li Lei", box("a", "panda"), box("b", "bowl")),
  other: version(9, "Han Mei", box("x", "bowl")),
  matches: [{ one: "a", other: "x", iou: 0.8125 }],
  pictures: 1,
  boxes: 3,
  measures: [
    { name: "mean_iou", value: 0.8125, low: null, high: null, method: "m" },
    { name: "f1", value: 2 / 3, low: null, high: null, method: "m" },
    { name: "label_kappa", value: null, low: null, high: null, method: "m" },
  ],
};

test("what both found stands in one row, what only one found in its own, and the other item is a link away", async () => {
  serve({ "GET /api/v1/items/5/double": { body: compared } });
  await renderScreen(<Double item={{ id: 5, double: { id: 9, label: "box-000009" } }} view={boxes} slug="x" />);
  await screen.findByText(/Box 2/); // names come with the kind's own code
  const rows = [...(await screen.findByTestId("double")).querySelectorAll("tbody tr")];
  expect(rows.map((row) => row.textContent)).toEqual(["Box 1 pandaBox 1 bowl0.81", "Box 2 bowl——"]);
  expect(screen.getByText("box-000009").getAttribute("href")).toBe("/b/x/items/9");
  expect(screen.getByTestId("double").querySelector("dl")?.textContent).toBe("Mean IoU0.81F10.67κ of categories—");
  const show = screen.getByTestId("show-double");
  const stage = document.createElement("div");
  stage.className = "stage";
  const seen = vi.fn();
  stage.scrollIntoView = seen;
  document.body.append(stage);
  await userEvent.click(show);
  stage.remove();
  // The picture is brought into view, with whose marks are which.
  expect(seen).toHaveBeenCalledOnce();
  expect(show.getAttribute("aria-pressed")).toBe("true");
});
