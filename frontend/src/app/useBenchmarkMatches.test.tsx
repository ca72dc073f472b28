import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { useBenchmarkMatches } from "./useBenchmarkMatches";

const EMPTY = { items: [], packages: [], images: [], categories: [], people: [], newest_only: false };
const LANTERN = { "zh-Hans": "灯笼", "zh-Hant": "燈籠", en: "Lantern" };
const go = vi.fn();
const useMatches = (typed: string) => useBenchmarkMatches("demo", typed, go);

const session = (...operations: string[]) => ({
  body: {
    person: { id: 1, username: "a", name: "A", language: "en" },
    is_owner: false,
    benchmarks: [{ slug: "demo", title: LANTERN, roles: [], operations, kinds: ["captions"] }],
    build: "1",
  },
});

function Page() {
  return useSession().data ? (
    <div data-testid="ready">
      <KeySheets useMatches={useMatches} />
    </div>
  ) : null;
}

async function open(typed: string) {
  await renderScreen(<Page />);
  await screen.findByTestId("ready");
  await userEvent.keyboard("{Control>}k{/Control}");
  await userEvent.type(await screen.findByRole("combobox"), typed);
}

beforeEach(() => void go.mockClear());
afterEach(() => vi.unstubAllGlobals());

test("the palette opens an item by its label", async () => {
  const item = { id: 7, label: "cap-000012", kind: "captions", state: "made", language: null, text: "门口挂着两盏红灯笼" };
  const { asked } = serve({
    "GET /api/v1/session": session("find"),
    "GET /api/v1/benchmarks/demo/find": ({ query }) => ({ body: query.get("q") === "cap-12" ? { ...EMPTY, items: [item] } : EMPTY }),
  });
  await open("cap-12");
  const option = await screen.findByRole("option", { name: /cap-000012/ });
  expect(within(option).getByText("门口挂着两盏红灯笼")).toBeTruthy();
  expect(within(option).getByText("Captions")).toBeTruthy();
  await userEvent.keyboard("{Enter}");
  expect(go).toHaveBeenCalledWith("/b/demo/items/7");
  expect(screen.queryByTestId("palette")).toBeNull();
  expect(asked.filter(({ path }) => path.endsWith("/find")).map(({ query }) => query.get("q"))).toEqual(["cap-12"]);
});

test.each([
  [/cap-pkg-0003/, "/b/demo/packages/3"],
  [/img-0004/, "/b/demo/pictures/4"],
  [/^Lantern/, "/b/demo/items?category=lantern"],
  [/Zhang Wei/, "/b/demo/people/5"],
  [/All items with “灯”/, "/b/demo/items?search=%E7%81%AF"],
])("%s leads to %s", async (name, path) => {
  serve({
    "GET /api/v1/session": session("find", "item_list"),
    "GET /api/v1/benchmarks/demo/find": {
      body: {
        ...EMPTY,
        packages: [{ id: 3, label: "cap-pkg-0003", kind: "captions", state: "working" }],
        images: [{ id: 4, label: "img-0004", state: "accepted" }],
        categories: [{ slug: "lantern", name: LANTERN }],
        people: [{ id: 5, name: "Zhang Wei" }],
        newest_only: true,
      },
    },
  });
  await open("灯");
  await screen.findByText(/newest 20,000 items only/);
  await userEvent.click(screen.getByRole("option", { name }));
  expect(go).toHaveBeenCalledWith(path);
});

test("who may not find anything is not asked about, and commands stay", async () => {
  const { asked } = serve({ "GET /api/v1/session": session() });
  await open("zzz");
  expect(await screen.findByText(/Nothing matches/)).toBeTruthy();
  expect(asked.some(({ path }) => path.endsWith("/find"))).toBe(false);
});
