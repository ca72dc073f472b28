// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactElement } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { ImportPage } from "./ImportPage";
import { ImportsPage } from "./ImportsPage";
import { statusOf } from "./outcomes";
import { placeOf } from "./sentences";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const session = (...operations: string[]) => ({
  body: {
    person: { id: 1, username: "me", name: "Me", language: "en" },
    is_owner: false,
    benchmarks: [{ slug: "x", title: localised("X"), roles: [], operations, kinds: ["captions", "vqa"], consent: { needed: false, given: false }, teams: [] }],
    build: "one",
  },
});
const job = { id: 3, kind: "annotation.run_import", state: "done", done: 3, total: 3, error_code: null, error_params: {}, created_at: "2026-11-21T08:00:00Z", finished_at: null };
const one = {
  id: 7,
  kind: "captions",
  team: null,
  format: "jsonl",
  target: "items",
  name: "花灯.jsonl",
  bytes: 900,
  reason: "",
  created_by: { id: 1, name: "Me" },
  created_at: "2026-11-21T08:00:00Z",
  finished_at: "2026-11-21T08:00:01Z",
  counts: { rows: 3, made: 1, drafted: 0, unchanged: 0, refused: 2 },
  job,
};
const page = (...results: unknown[]) => ({ body: { results, next: null, total: results.length, total_is_capped: false, maximum_bytes: 1_000 } });
const row = (line: number, more: object) => ({ line, outcome: "refused", label: `img-000${line}`, code: null, params: {}, item: null, ...more });
const finding = { code: "caption_identical", field: "captions.4", params: { other: 1 } };
const rows = [
  row(1, { outcome: "made", item: { id: 12, label: "cap-000012" } }),
  row(2, { code: "image_not_ready", params: { image: "img-0002", state: "received" } }),
  row(3, { code: "content_refused", params: { count: 1, findings: [finding] } }),
];

const withKeys = (page: ReactElement) => (
  <>
    {page}
    <KeySheets />
  </>
);

afterEach(() => vi.unstubAllGlobals());

describe("ImportsPage", () => {
  it("sends the chosen file with what is to become of it, and goes to its report", async () => {
    const server = serve({
      "GET /api/v1/session": session("import_list", "import_create"),
      "GET /api/v1/benchmarks/x/imports": page(),
      "POST /api/v1/benchmarks/x/imports": { status: 201, body: one },
    });
    const { router } = await renderScreen(withKeys(<ImportsPage />), { at: "/b/x/imports", path: "/b/:slug/imports" });
    const send = await screen.findByTestId<HTMLButtonElement>("import-send");
    expect(send.disabled).toBe(true);
    await userEvent.upload(screen.getByTestId("import-file"), new File(["{}"], "work.jsonl"));
    expect(screen.getByTestId("import-chosen").textContent).toContain("work.jsonl");
    await userEvent.selectOptions(screen.getByTestId("import-kind"), "vqa");
    await userEvent.click(screen.getByTestId("import-target-drafts"));
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/b/x/imports/7"));
    const body = server.asked.find((asked) => asked.method === "POST")?.body as FormData;
    expect([body.get("kind"), body.get("target"), body.get("format"), (body.get("file") as File).name]).toEqual(["vqa", "drafts", "auto", "work.jsonl"]);
  });

  it("sends the team of a kind that teams work on, and offers no drafts", async () => {
    const server = serve({
      "GET /api/v1/session": session("import_list", "import_create", "team_list"),
      "GET /api/v1/benchmarks/x": { body: { protocol: { content: { kinds: { captions: { track: "peer" }, vqa: {} } } } } },
      "GET /api/v1/benchmarks/x/imports": page(),
      "GET /api/v1/benchmarks/x/teams": { body: [{ id: 7, name: "Egypt", closed: false }, { id: 8, name: "Old", closed: true }] },
      "POST /api/v1/benchmarks/x/imports": { status: 201, body: one },
    });
    const { router } = await renderScreen(withKeys(<ImportsPage />), { at: "/b/x/imports", path: "/b/:slug/imports" });
    const team = await screen.findByTestId<HTMLSelectElement>("import-team");
    await screen.findByText("Egypt");
    expect([...team.options].map(({ text }) => text)).toEqual(["Named by each row", "Egypt"]);
    expect(screen.queryByTestId("import-target-drafts")).toBeNull();
    await userEvent.upload(screen.getByTestId("import-file"), new File(["{}"], "work.jsonl"));
    await userEvent.selectOptions(team, "Egypt");
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/b/x/imports/7"));
    const body = server.asked.find((asked) => asked.method === "POST")?.body as FormData;
    expect([body.get("kind"), body.get("target"), body.get("team")]).toEqual(["captions", "items", "7"]);
  });

  it("says why a file is not taken, and lets the mended one go", async () => {
    serve({
      "GET /api/v1/session": session("import_list", "import_create"),
      "GET /api/v1/benchmarks/x/imports": page(one),
      "POST /api/v1/benchmarks/x/imports": { status: 400, body: { code: "import_not_utf8", params: { offset: 12 }, detail: "" } },
    });
    await renderScreen(<ImportsPage />, { at: "/b/x/imports", path: "/b/:slug/imports" });
    await userEvent.upload(await screen.findByTestId("import-file"), new File(["{}"], "work.jsonl"));
    await userEvent.click(screen.getByTestId("import-send"));
    expect((await screen.findByTestId("problem")).textContent).toContain("byte 12");
    await userEvent.upload(screen.getByTestId("import-file"), new File(["{}"], "mended.jsonl"));
    expect(screen.queryByTestId("problem")).toBeNull();
    expect(screen.getByTestId("import-7").textContent).toContain("花灯.jsonl");
  });

  it("does not send a file that is too large", async () => {
    const server = serve({ "GET /api/v1/session": session("import_list", "import_create"), "GET /api/v1/benchmarks/x/imports": page() });
    await renderScreen(<ImportsPage />, { at: "/b/x/imports", path: "/b/:slug/imports" });
    await userEvent.upload(await screen.findByTestId("import-file"), new File(["x".repeat(1_001)], "work.jsonl"));
    expect(screen.getByTestId("problem").textContent).toContain("larger than 1 kB");
    expect(screen.getByTestId<HTMLButtonElement>("import-send").disabled).toBe(true);
    await userEvent.upload(screen.getByTestId("import-file"), new File(["x".repeat(1_000)], "work.jsonl"));
    expect(screen.queryByTestId("problem")).toBeNull();
    expect(screen.getByTestId<HTMLButtonElement>("import-send").disabled).toBe(false);
    expect(server.asked.some(({ method }) => method === "POST")).toBe(false);
  });

  it("shows no form to people who may only read", async () => {
    serve({ "GET /api/v1/session": session("import_list"), "GET /api/v1/benchmarks/x/imports": page(one) });
    await renderScreen(<ImportsPage />, { at: "/b/x/imports", path: "/b/:slug/imports" });
    expect(await screen.findByTestId("import-7")).toBeTruthy();
    expect(screen.queryByTestId("new-import")).toBeNull();
  });
});

describe("ImportPage", () => {
  const at = { at: "/b/x/imports/7", path: "/b/:slug/imports/:importId" };

  it("reports on each row in sentences and filters by key", async () => {
    const server = serve({
      "GET /api/v1/session": session("import_list"),
      "GET /api/v1/imports/7": { body: one },
      "GET /api/v1/imports/7/rows": page(...rows),
    });
    await renderScreen(withKeys(<ImportPage />), at);
    const table = await screen.findByTestId("import-rows");
    expect(table.textContent).toContain("img-0002 is not available for annotation: To inspect.");
    expect(table.textContent).toContain("Text 5: Same as sentence 2");
    expect(screen.getByText("cap-000012").getAttribute("href")).toBe("/b/x/items/12");
    await userEvent.keyboard("1");
    await vi.waitFor(() => expect(server.asked.at(-1)?.query.get("outcome")).toBe("refused"));
    expect(screen.getByTestId("outcome-refused").getAttribute("aria-pressed")).toBe("true");
  });

  it("says that a file waits for disk space, without a size that the server does not know", async () => {
    const waiting = { ...job, state: "queued", error_code: "storage_full", error_params: { disk: "media", free: 0, needed: null } };
    serve({
      "GET /api/v1/session": session("import_list"),
      "GET /api/v1/imports/7": { body: { ...one, job: waiting, finished_at: null } },
      "GET /api/v1/imports/7/rows": page(),
    });
    await renderScreen(<ImportPage />, at);
    expect((await screen.findByTestId("wait-reason")).textContent).toBe(
      "Not enough disk space on the server: 0 bytes free. Ask the site operator to free some. It continues once there is enough space.",
    );
    expect(screen.getByTestId("import-progress").dataset.status).toBe("waitingForSpace");
  });

  it("says that a file which broke off was not taken", async () => {
    const failed = { ...job, state: "failed", error_code: "import_unreadable", error_params: { row: 9, reason: "breaks_off" } };
    serve({
      "GET /api/v1/session": session("import_list"),
      "GET /api/v1/imports/7": { body: { ...one, job: failed, counts: { rows: 0, made: 0, drafted: 0, unchanged: 0, refused: 0 } } },
      "GET /api/v1/imports/7/rows": page(),
    });
    await renderScreen(<ImportPage />, at);
    expect((await screen.findByTestId("problem")).textContent).toContain("row 9");
    expect(screen.getByTestId("import-progress").dataset.status).toBe("failed");
  });
});

describe("statusOf", () => {
  const open = { finished_at: null, job: null, counts: one.counts };
  it.each([
    [open, "waiting"],
    [{ ...open, job: { ...job, state: "queued" } }, "waiting"],
    [{ ...open, job: { ...job, state: "queued", error_code: "storage_full" } }, "waitingForSpace"],
    [{ ...open, job: { ...job, state: "running", total: null } }, "counting"],
    [{ ...open, job: { ...job, state: "running" } }, "reading"],
    [{ ...open, job }, "done"],
    [{ ...open, job, counts: { rows: 3, made: 0, drafted: 0, unchanged: 0, refused: 3 } }, "nothing"],
    [{ ...open, job, counts: { rows: 3, made: 0, drafted: 0, unchanged: 1, refused: 2 } }, "done"],
    [{ ...open, job, counts: { rows: 0, made: 0, drafted: 0, unchanged: 0, refused: 0 } }, "done"],
    [{ ...open, job: { ...job, state: "failed" } }, "failed"],
  ])("shows the status (%#)", (of, status) => {
    expect(statusOf(of as Parameters<typeof statusOf>[0])).toBe(status);
  });
});

describe("placeOf", () => {
  it("counts an item's texts from one", () => {
    expect([placeOf("captions.2"), placeOf("pairs.0.answer"), placeOf("captions")]).toEqual([3, 1, null]);
  });
});
