import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { BulkBar } from "./BulkBar";
import type { BulkAction } from "./actions";

const title = { "zh-Hans": "灯", "zh-Hant": "燈", en: "Lanterns" };
const zero = { pending: 0, refused: 0, done: 0, undone: 0, kept: 0 };
const bulk = {
  id: 7,
  action: "revoke",
  target: "package",
  person: null,
  value: "",
  state: "prepared",
  error_code: "",
  undoable: true,
  rows: 420,
  counts: { ...zero, pending: 412, refused: 8 },
  examples: ["cap-pkg-0001", "cap-pkg-0002"],
  reasons: [{ code: "bulk_target_changed", params: {}, count: 8, examples: ["cap-pkg-0009"] }],
  created_at: "2026-11-24T00:00:00Z",
  available_actions: ["bulk_apply"],
};
const session = (operations: string[]) => ({
  "GET /api/v1/session": {
    body: {
      person: { id: 1, username: "me", name: "Me", language: "en" },
      is_owner: false,
      benchmarks: [{ slug: "x", title, roles: [], operations, kinds: [], consent: { needed: false, given: false }, teams: [] }],
      build: "one",
    },
  },
});
const ALLOWED = ["bulk_prepare", "package_take_back"];
const revoke: BulkAction = {
  action: "revoke",
  param: "comment",
  isOptional: true,
  field: (value, onChange) => <input aria-label="comment" value={value ?? ""} onChange={(event) => onChange(event.target.value)} />,
};
const assign: BulkAction = { action: "assign", param: "person", field: () => null };

async function open(replies: Parameters<typeof serve>[0], ids: readonly number[] = [3, 4]) {
  const server = serve(replies);
  const bar = <BulkBar slug="x" ids={ids} filters={{ state: "working", kind: undefined }} total={{ total: 420, total_is_capped: false }} actions={[assign, revoke]} />;
  await renderScreen(bar, { path: "/", at: "/" });
  return server;
}

afterEach(() => vi.unstubAllGlobals());

describe("BulkBar", () => {
  it("offers what the person may do to one row, while rows are chosen", async () => {
    await open(session(ALLOWED));
    expect((await screen.findByTestId("bulk-count")).textContent).toBe("2 selected");
    expect(screen.queryByTestId("bulk-revoke")).toBeTruthy();
    expect(screen.queryByTestId("bulk-assign")).toBeNull();
  });

  it("shows nothing without a choice or a permission", async () => {
    await open(session(ALLOWED), []);
    expect(screen.queryByTestId("bulk-bar")).toBeNull();
  });

  it("previews all that match, applies, and undoes", async () => {
    const server = await open({
      ...session(ALLOWED),
      "POST /api/v1/benchmarks/x/bulk": { status: 201, body: bulk },
      "GET /api/v1/bulk/7": { body: bulk },
      "POST /api/v1/bulk/7/apply": { body: { ...bulk, state: "running", available_actions: [] } },
    });
    await userEvent.click(await screen.findByTestId("bulk-all"));
    expect(screen.getByTestId("bulk-count").textContent).toBe("All 420 that match");
    await userEvent.click(screen.getByTestId("bulk-revoke"));
    await userEvent.type(screen.getByLabelText("comment"), "why");
    await userEvent.click(screen.getByTestId("bulk-preview"));
    expect((await screen.findByTestId("bulk-outcome")).textContent).toBe("412 can be changed. 8 cannot:");
    expect(screen.getByTestId("bulk-reasons").textContent).toBe("8 It was changed in the meantime. cap-pkg-0009");
    const asked = server.asked.find((one) => one.method === "POST");
    expect(asked?.body).toEqual({ action: "revoke", params: { comment: "why" }, filters: { state: "working" } });
    serve({
      ...session(ALLOWED),
      "POST /api/v1/bulk/7/apply": { body: { ...bulk, state: "running", available_actions: [] } },
      "GET /api/v1/bulk/7": { body: { ...bulk, state: "done", counts: { ...zero, done: 412, refused: 8 }, available_actions: ["bulk_undo"] } },
    });
    await userEvent.click(screen.getByRole("button", { name: "Revoke 412 assignments" }));
    expect(await screen.findByText("412 changed. 8 left as they were:")).toBeTruthy();
    serve({
      ...session(ALLOWED),
      "POST /api/v1/bulk/7/undo": { body: { ...bulk, state: "undoing", available_actions: [] } },
      "GET /api/v1/bulk/7": { body: { ...bulk, state: "undone", counts: { ...zero, undone: 410, kept: 2, refused: 8 }, available_actions: [] } },
    });
    await userEvent.click(screen.getByTestId("bulk-undo"));
    expect(await screen.findByText("410 changed back. 2 stay, because they were changed since:")).toBeTruthy();
    expect(screen.queryByTestId("bulk-undo")).toBeNull();
    await userEvent.click(screen.getByTestId("bulk-close"));
    expect(screen.queryByTestId("bulk-panel")).toBeNull();
  });

  it("names in the preview what the rows get", async () => {
    await open({
      ...session(ALLOWED),
      "POST /api/v1/benchmarks/x/bulk": { status: 201, body: bulk },
      "GET /api/v1/bulk/7": { body: { ...bulk, person: { id: 5, name: "陈墨" } } },
    });
    await userEvent.click(await screen.findByTestId("bulk-revoke"));
    await userEvent.click(screen.getByTestId("bulk-preview"));
    expect((await screen.findByTestId("bulk-given")).textContent).toBe(" 陈墨");
  });

  it("waits for a large preview, and says how far it is", async () => {
    const waiting = { ...bulk, state: "preparing", rows: 42_000, counts: { ...zero, pending: 1_990, refused: 10 }, reasons: [], available_actions: [] };
    await open({ ...session(ALLOWED), "POST /api/v1/benchmarks/x/bulk": { status: 201, body: waiting }, "GET /api/v1/bulk/7": { body: waiting } });
    await userEvent.click(await screen.findByTestId("bulk-revoke"));
    await userEvent.click(screen.getByTestId("bulk-preview"));
    expect(await screen.findByText("Checked 2,000 of 42,000. Nothing is changed yet.")).toBeTruthy();
    expect(screen.queryByTestId("bulk-apply")).toBeNull();
    expect(screen.getByTestId("bulk-close").textContent).toBe("Cancel");
    serve({ ...session(ALLOWED), "GET /api/v1/bulk/7": { body: bulk } });
    expect((await screen.findByTestId("bulk-apply", {}, { timeout: 3_000 })).textContent).toBe("Revoke 412 assignments");
  });

  it("says why a preview could not be made", async () => {
    const failed = { ...bulk, state: "failed", error_code: "operation_not_allowed", counts: zero, reasons: [], available_actions: [] };
    await open({ ...session(ALLOWED), "POST /api/v1/benchmarks/x/bulk": { status: 201, body: failed }, "GET /api/v1/bulk/7": { body: failed } });
    await userEvent.click(await screen.findByTestId("bulk-revoke"));
    await userEvent.click(screen.getByTestId("bulk-preview"));
    expect((await screen.findByRole("alert")).textContent).toContain("Your roles do not allow this");
    await userEvent.click(screen.getByRole("button", { name: "Back" }));
    expect(screen.getByTestId("bulk-preview")).toBeTruthy();
  });

  it("names the chosen rows, and says that an action is for good", async () => {
    const server = await open({
      ...session(ALLOWED),
      "POST /api/v1/benchmarks/x/bulk": { status: 201, body: bulk },
      "GET /api/v1/bulk/7": { body: { ...bulk, undoable: false } },
    });
    await userEvent.click(await screen.findByTestId("bulk-revoke"));
    await userEvent.click(screen.getByTestId("bulk-preview"));
    expect(await screen.findByText("This cannot be undone.")).toBeTruthy();
    expect(server.asked.find((one) => one.method === "POST")?.body).toEqual({ action: "revoke", params: {}, ids: [3, 4] });
  });
});
