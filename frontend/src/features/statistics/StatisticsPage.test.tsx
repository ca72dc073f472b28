import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Answer } from "@/api/request";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { StatisticsPage } from "./StatisticsPage";

afterEach(() => vi.unstubAllGlobals());

type Quality = Answer<"quality_show">;

const interval = { method: "clopper-pearson", low: 0.831, high: 0.994 };
const writer = (part: Partial<Quality["people"][number]>): Quality["people"][number] => ({
  person: { id: 4, name: "Zhang Wei" },
  mine: false,
  kind: "captions",
  written: 40,
  submitted: 44,
  judged: 40,
  accepted_first: 38,
  rate: 0.95,
  interval,
  median_active_ms: 137_000,
  returned_reasons: [{ code: "speech", n: 2 }],
  ...part,
});
const quality = (part: Partial<Quality>): Quality => ({ blind: false, as_of: null, people: [], judges: [], agreement: [], rounds: [], doubles: [], packages: [], ...part });

async function open(body: Quality, operations: string[]) {
  serve({
    "GET /api/v1/session": { body: { person: { id: 4 }, benchmarks: [{ slug: "x", operations, kinds: ["captions"], roles: [] }] } },
    "GET /api/v1/benchmarks/x": { body: { protocol: { content: {} }, categories: [] } },
    "GET /api/v1/benchmarks/x/quality": { body },
  });
  await renderScreen(<StatisticsPage />, { at: "/b/x/quality", path: "/b/:slug/quality" });
}

test("rates stand with their intervals and methods, numbers lead to what they count", async () => {
  const measure = { value: 0.61, low: 0.4, high: 0.78, method: "cluster-bootstrap-percentile-1000" };
  await open(
    quality({
      people: [writer({})],
      agreement: [
        {
          kind: "captions",
          between: "review-inspection",
          items: 120,
          observed: 0.925,
          measures: [
            { name: "cohen_kappa", ...measure },
            { name: "krippendorff_alpha", value: null, low: null, high: null, method: measure.method },
          ],
        },
      ],
      packages: [{ id: 3, label: "cap-pkg-0003", right: 19, n: 20, rate: 0.95 }],
    }),
    ["item_list", "package_list"],
  );
  const row = (await screen.findByTestId("writers")).querySelector("tbody tr");
  expect(row?.textContent).toContain("38 / 4095%83.1%–99.4%2 min 17 secspeech 2");
  expect(row?.querySelector("svg")?.getAttribute("aria-label")).toBe("95%, 95% interval 83.1%–99.4% (exact Clopper-Pearson)");
  expect([...(row?.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href"))).toEqual([
    "/b/x/packages?assignee=4&kind=captions",
    "/b/x/items?author=4&kind=captions",
  ]);
  expect(screen.getByTestId("agreement").querySelector("tbody tr")?.textContent).toBe("Review and inspectionCaptions12092.5%0.610.40–0.78—");
  expect(screen.getByText(/1000 resamples of whole packages/)).toBeTruthy();
  expect(screen.getByText("cap-pkg-0003").getAttribute("href")).toBe("/b/x/packages/3/inspection");
});

test("work of two people on the same pictures has a row in all, for each person and each package", async () => {
  const measures = [
    { name: "mean_iou" as const, value: 0.83, low: 0.79, high: 0.87, method: "picture-bootstrap-percentile-1000" },
    { name: "f1" as const, value: 0.9, low: null, high: null, method: "picture-bootstrap-percentile-1000" },
    { name: "label_kappa" as const, value: null, low: null, high: null, method: "picture-bootstrap-percentile-1000" },
  ];
  const figures = { pictures: 4, boxes: 31, measures };
  const row = { kind: "boxes", ...figures, people: [{ person: { id: 4, name: "Zhang Wei" }, mine: true, ...figures }], packages: [{ id: 7, label: "box-pkg-0001", ...figures }] };
  await open(quality({ doubles: [row] }), ["item_list"]);
  const rows = [...(await screen.findByTestId("doubles-boxes")).querySelectorAll("tbody tr")];
  expect(rows.map((one) => one.textContent)).toEqual(["All4310.830.79–0.870.90—", "Zhang Wei me4310.830.79–0.870.90—", "box-pkg-00014310.830.79–0.870.90—"]);
  expect(rows[2]?.querySelector("a")?.getAttribute("href")).toBe("/b/x/packages/7");
  expect(screen.getByText(/1000 resamples of whole pictures/)).toBeTruthy();
});

test("people who see their own figures see no row of all", async () => {
  const figures = { pictures: 2, boxes: 9, measures: [] };
  const row = { kind: "boxes", ...figures, people: [{ person: { id: 4, name: "Zhang Wei" }, mine: true, ...figures }], packages: [] };
  await open(quality({ doubles: [row] }), []);
  expect((await screen.findByTestId("doubles-boxes")).querySelectorAll("tbody tr")).toHaveLength(1);
});

test("kept figures say of when they are, current ones do not", async () => {
  await open(quality({ people: [writer({})], as_of: "2026-11-20T09:12:00Z" }), ["item_list"]);
  expect((await screen.findByTestId("as-of")).textContent).toMatch(/^Figures of people and agreement as of Nov 20, 2026/);
  await open(quality({ people: [writer({})] }), ["item_list"]);
  expect(screen.queryAllByTestId("as-of")).toHaveLength(1);
});

test("where names are hidden the part stands for the person, and nothing leads to one", async () => {
  await open(quality({ blind: true, people: [writer({ mine: true }), writer({ person: null })] }), ["item_list", "package_list"]);
  const rows = [...(await screen.findByTestId("writers")).querySelectorAll("tbody tr")];
  expect(rows.map((row) => row.querySelector("th")?.textContent)).toEqual(["Zhang Wei me", "Annotator "]);
  expect(rows[1]?.querySelectorAll("a")).toHaveLength(0);
  expect(screen.getByText(/names are hidden/i)).toBeTruthy();
});

test("before anything is judged it says what will appear", async () => {
  await open(quality({}), ["item_list"]);
  expect((await screen.findByTestId("empty")).textContent).toContain("No verdicts yet");
});

test("validators of teams' items are shown with what they did", async () => {
  const judge: Quality["judges"][number] = {
    person: { id: 5, name: "Mona" },
    mine: false,
    kind: "captions",
    stage: "peer",
    judged: 6,
    outcomes: [
      { code: "edit", n: 2 },
      { code: "return", n: 1 },
      { code: "star", n: 3 },
    ],
    checked: 2,
    upheld: 1,
    rate: 0.5,
    interval,
  };
  await open(quality({ judges: [judge, { ...judge, person: null }] }), ["item_list"]);
  const rows = [...(await screen.findByTestId("judges")).querySelectorAll("tbody tr")];
  expect(rows[0]?.textContent).toContain("Mona ValidationCaptions6edited 2returned 1Star 31 / 2");
  expect(rows[1]?.querySelector("th")?.textContent).toBe("Validator ");
});
