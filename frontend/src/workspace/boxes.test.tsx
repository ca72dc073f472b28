import { screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import type { Finding, WorkItem } from "@/api/types";
import { choice, keyed, numbers, record } from "@/testing/content";
import { deskForEach, item, name, open, pkg, requests } from "@/testing/desk";
import type { Asked } from "@/testing/server";

deskForEach();

describe("drawing boxes", () => {
  const lion = { code: "lion", definition: null, name: name("Lion") };
  const boxRules = {
    ...{ kind: "boxes", content: record({ boxes: keyed({ category: choice([lion]), box: numbers(4) }) }) },
    ...{ side_minimum: 8, duplicate_percent: 90, double_percent: 5, human_checks: [], review_reasons: [], skip_reasons: [] },
  };
  const drawn = { boxes: [{ key: "k1", category: "lion", box: [10, 10, 80, 60] }] };
  const tooFew: Finding = {
    ...{ code: "too_few_of_main", field: "boxes", severity: "error", overridable: true, spans: [] },
    params: { count: 1, minimum: 2, category: "lion" },
  };

  /** `check` is awaited before a draft is answered. */
  async function openBoxes(content: WorkItem["content"], check: () => Promise<unknown> = () => Promise.resolve()) {
    const items = [item(1, { content }), item(2)];
    const desk = await open(items, {
      "GET /api/v1/packages/9/next": { body: { package: { ...pkg, kind: "boxes" }, rules: boxRules, items } },
      "PUT /api/v1/items/101/draft": (request: Asked) => ({
        body: { seq: (request.body as { seq: number }).seq, findings: [tooFew], saved_at: "2026-01-01T00:00:00Z" },
      }),
    });
    const fetching = globalThis.fetch;
    vi.stubGlobal("fetch", (address: string, init?: RequestInit) =>
      address.endsWith("/draft") ? check().then(() => fetching(address, init)) : fetching(address, init),
    );
    await screen.findByTestId("boxes-editor");
    return desk;
  }
  const shown = () => screen.getByTestId("task").dataset.item;
  const twoBoxes = { boxes: [...drawn.boxes, { key: "k2", category: "lion", box: [200, 10, 80, 60] }] };

  test("a picture without a box stays open, and the focus goes to drawing", async () => {
    const { server, keys } = await openBoxes({ boxes: [] });
    await keys.keyboard("{Control>}{Enter}{/Control}");
    expect(screen.getByText("Draw at least one box before you submit. Your draft is saved.")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByTestId("do-regions.draw"));
    expect(shown()).toBe("cap-000001");
    expect(requests(server, "POST", "items/101/submit")).toEqual([]);
  });

  test("submitting waits for the check that is under way, and then stays at the reason that is missing", async () => {
    let answer: () => void = () => undefined;
    const check = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)));
    const { server, keys } = await openBoxes(twoBoxes, check);
    await keys.click(screen.getByRole("button", { name: "Delete 2, Lion" }));
    await keys.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(check).toHaveBeenCalledOnce());
    expect(shown()).toBe("cap-000001");
    answer();
    const reason = await screen.findByTestId("reason-too_few_of_main");
    await waitFor(() => expect(document.activeElement).toBe(reason));
    expect(reason.getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByText(/or give a reason to keep them, before you submit/)).toBeTruthy();
    expect(requests(server, "POST", "items/101/submit")).toEqual([]);
    await keys.keyboard("only one{Control>}{Enter}{/Control}");
    expect(reason.getAttribute("aria-invalid")).toBeNull();
    await waitFor(() => expect(requests(server, "POST", "items/101/submit")).toHaveLength(1));
    expect(requests(server, "POST", "items/101/submit")[0]?.body).toMatchObject({ content: drawn, reasons: { too_few_of_main: "only one" } });
  });

  test.each([
    ["without a connection", () => Promise.reject(new TypeError("offline"))],
    ["when the check takes long", () => new Promise(() => undefined)],
  ])("submitting goes on %s", async (_, check) => {
    const { keys } = await openBoxes(twoBoxes, check);
    await keys.click(screen.getByRole("button", { name: "Delete 2, Lion" }));
    await keys.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(shown()).toBe("cap-000002"), { timeout: 3_000 });
  });

  test("a rejected item opens with the focus in the reason that is missing", async () => {
    const refused = { code: "content_refused", params: { count: 1, findings: [tooFew] }, detail: "" };
    const { server, keys } = await openBoxes(drawn);
    server.replies["POST /api/v1/items/101/submit"] = { status: 422, body: refused };
    await keys.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(screen.getByTestId("save-state").dataset.state).toBe("refused"));
    await keys.click(screen.getByTestId("save-state"));
    const reason = await screen.findByTestId("reason-too_few_of_main");
    await waitFor(() => expect(document.activeElement).toBe(reason));
    expect(reason.getAttribute("aria-invalid")).toBe("true");
  });
});
