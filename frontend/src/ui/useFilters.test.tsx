// @vitest-environment happy-dom
import { act } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderScreen } from "@/testing/render";
import { useFilters, type Filters } from "./useFilters";

async function filtersAt(address: string) {
  const rendered: Filters[] = [];
  function Page() {
    rendered.push(useFilters());
    return null;
  }
  const { router } = await renderScreen(<Page />, { at: address });
  return {
    router,
    filters: () => {
      const latest = rendered.at(-1);
      if (latest === undefined) throw new Error("the page was not rendered");
      return latest;
    },
  };
}

it("reads values, known values and ids from the address", async () => {
  const { filters } = await filtersAt("/?kind=vqa&category=&state=ended&size=50&actor=7&target=x");
  const { get, oneOf, number, isEmpty } = filters();
  expect([get("kind"), get("category"), get("missing")]).toEqual(["vqa", undefined, undefined]);
  expect([oneOf("state", ["active", "ended"]), oneOf("kind", ["captions"]), oneOf("size", [50, 100])]).toEqual(["ended", undefined, 50]);
  expect([number("actor"), number("target"), number("missing")]).toEqual([7, undefined, undefined]);
  expect(isEmpty).toBe(false);
});

it("changes what is named, keeps the rest, and leaves nothing after clearing", async () => {
  const { router, filters } = await filtersAt("/?kind=vqa&state=ended&page=2");
  act(() => filters().set({ kind: "captions", state: undefined, actor: 7, page: "" }));
  expect(router.state.location.search).toBe("?kind=captions&actor=7");
  expect(router.state.historyAction).toBe("PUSH");
  act(() => filters().set({ kind: "vqa" }, { replace: true }));
  expect(router.state.historyAction).toBe("REPLACE");
  act(() => filters().clear());
  expect([router.state.location.search, filters().isEmpty]).toEqual(["", true]);
});
