import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { EarlierBulks } from "./EarlierBulks";

const counts = { pending: 0, refused: 0, done: 0, undone: 0, kept: 0 };
const row = (id: number, changes: object) => ({
  id,
  action: "assign",
  target: "package",
  person: { id: 4, name: "Han" },
  value: "",
  state: "done",
  error_code: "",
  counts: { ...counts, done: 5, refused: 1 },
  applied_by: { id: 1, name: "Li" },
  applied_at: "2026-11-20T08:00:00Z",
  available_actions: ["bulk_undo"],
  ...changes,
});
const LIST = "GET /api/v1/benchmarks/x/bulk";
const list = (...results: unknown[]) => ({ body: { results, next: null, total: null, total_is_capped: false } });

afterEach(() => vi.unstubAllGlobals());

it("lists what was done with its result, and undoes where that is possible", async () => {
  const lantern = { slug: "lantern", name: { "zh-Hans": "灯", "zh-Hant": "燈", en: "Lanterns" }, field: { name: { "zh-Hans": "x", "zh-Hant": "x", en: "x" } } };
  const undone = row(8, { action: "category", person: null, value: "lantern", state: "undone", counts: { ...counts, undone: 3, kept: 2 }, available_actions: [] });
  const server = serve({
    [LIST]: list(row(9, {}), undone),
    "GET /api/v1/benchmarks/x": { body: { slug: "x", protocol: { version: 1, name: "p", content: {}, planned: [] }, categories: [lantern] } },
    "POST /api/v1/bulk/9/undo": { body: {} },
  });
  await renderScreen(<EarlierBulks slug="x" />);
  const first = await screen.findByTestId("bulk-9");
  for (const text of ["Assign packages", "Han", "5 changed and 1 not changed", "Done", "Li"]) expect(first.textContent).toContain(text);
  const second = screen.getByTestId("bulk-8");
  await vi.waitFor(() => expect(second.textContent).toContain("Lanterns"));
  expect(second.textContent).toContain("3 changed back and 2 kept, changed since");
  expect(screen.queryByTestId("bulk-8-undo")).toBeNull();
  await userEvent.click(screen.getByTestId("bulk-9-undo"));
  await vi.waitFor(() => expect(server.asked.some(({ path }) => path === "/api/v1/bulk/9/undo")).toBe(true));
});
