import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { toasts } from "@/ui/toasts";
import { EditPage } from "./EditPage";

const guideline = (version: number, text: string, note = "") => ({
  kind: "captions",
  version,
  versions: [{ version, created_at: "2026-01-01T00:00:00Z", by: { id: 2, name: "Wang Fang" }, note, acknowledged_by: 0 }],
  text: { en: text },
  acknowledged: true,
});

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

async function open(replies: Parameters<typeof serve>[0]) {
  const server = serve({
    "GET /api/v1/benchmarks/demo/guidelines": {
      body: [{ kind: "captions", version: 1, created_at: null, note: "", acknowledged: false, has_preset: true }],
    },
    ...replies,
  });
  await renderScreen(<EditPage />, { at: "/b/demo/guidelines/captions/edit", path: "/b/:slug/guidelines/:kind/edit" });
  return server;
}
const source = () => screen.findByTestId<HTMLTextAreaElement>("guideline-source");

test("another person's newer version is shown beside the own one, which is then published", async () => {
  let newest = guideline(1, "Write what is there.");
  const bases: unknown[] = [];
  await open({
    "GET /api/v1/benchmarks/demo/guidelines/captions": () => ({ body: newest }),
    "POST /api/v1/benchmarks/demo/guidelines/captions": (asked: Asked) => {
      const { base_version: base } = asked.body as { base_version: number };
      bases.push(base);
      if (base === 2) return { status: 201, body: guideline(3, "Write what one sees.") };
      newest = guideline(2, "Write all that is there.", "All of it");
      return { status: 409, body: { code: "stale_row", params: { revision: 2, named: 1 }, detail: "" } };
    },
  });
  const user = userEvent.setup();
  fireEvent.change(await source(), { target: { value: "Write what one sees." } });
  await user.click(screen.getByTestId("publish-guideline"));
  const conflict = await screen.findByTestId("guideline-conflict");
  expect(conflict.textContent).toContain("Wang Fang published version 2");
  await waitFor(() => expect(conflict.textContent).toContain("Write all that is there."));
  expect((await source()).value).toBe("Write what one sees.");
  await user.click(screen.getByTestId("continue"));
  await user.click(screen.getByTestId("publish-guideline"));
  await screen.findByTestId("elsewhere");
  expect(bases).toEqual([1, 2]);
  expect(localStorage.getItem("lantern.guideline.demo.captions")).toBeNull();
});

test("what was begun is there again, and the shipped text fills every language until it is undone", async () => {
  localStorage.setItem("lantern.guideline.demo.captions", JSON.stringify({ text: { en: "Half a sent" }, note: "", base: 0 }));
  await open({
    "GET /api/v1/benchmarks/demo/guidelines/captions/preset": { body: { text: { en: "# Shipped", "zh-Hans": "# 自带" } } },
  });
  expect((await source()).value).toBe("Half a sent");
  const user = userEvent.setup();
  await user.click(await screen.findByTestId("from-preset"));
  await waitFor(async () => expect((await source()).value).toBe("# Shipped"));
  await user.click(screen.getByTestId("write-zh-Hans"));
  expect((await source()).value).toBe("# 自带");
  expect(await screen.findByRole("heading", { name: "自带" })).toBeTruthy();
});

test("publishing the first version leaves for it with a word of success, and no conflict with oneself", async () => {
  let newest: ReturnType<typeof guideline> | null = null;
  const bases: unknown[] = [];
  await open({
    "GET /api/v1/benchmarks/demo/guidelines/captions": () =>
      newest ? { body: newest } : { status: 404, body: { code: "not_found", params: {}, detail: "" } },
    "POST /api/v1/benchmarks/demo/guidelines/captions": (asked: Asked) => {
      bases.push((asked.body as { base_version: number }).base_version);
      newest = guideline(1, "Write what is there.");
      return { status: 201, body: newest };
    },
  });
  const show = vi.spyOn(toasts, "show");
  fireEvent.change(await source(), { target: { value: "Write what is there." } });
  await userEvent.setup().click(screen.getByTestId("publish-guideline"));
  await screen.findByTestId("elsewhere");
  expect(bases).toEqual([0]);
  expect(show.mock.calls).toEqual([["Version 1 published"]]);
  expect(screen.queryByTestId("guideline-conflict")).toBeNull();
  expect(localStorage.getItem("lantern.guideline.demo.captions")).toBeNull();
});
