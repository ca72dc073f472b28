import { fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Job, ReleaseDetail } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { ReleasePage } from "./ReleasePage";
import { sampleKind, sampleRelease } from "@/testing/release";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const EVERYTHING = ["release_list", "release_file", "release_key", "run_list", "leaderboard_show"];

function replies(release: ReleaseDetail, operations = EVERYTHING) {
  return {
    "GET /api/v1/session": {
      body: {
        person: { id: 1, username: "me", name: "Me", language: "en" },
        is_owner: false,
        benchmarks: [{ slug: "x", title: localised("X"), roles: [], operations, kinds: ["captions"], consent: { needed: false, given: false }, teams: [] }],
        build: "one",
      },
    },
    "GET /api/v1/benchmarks/x": { body: { slug: "x", protocol: { version: 1, name: "p", content: {}, planned: [] }, categories: [] } },
    "GET /api/v1/releases/7": { body: release },
  };
}

const show = (at = "/b/x/releases/7") => renderScreen(<ReleasePage />, { at, path: "/b/:slug/releases/:releaseId" });

const job = (over: Partial<Job>): Job => ({
  id: 3,
  kind: "annotation.write_release",
  state: "running",
  done: 4,
  total: 10,
  error_code: null,
  error_params: {},
  created_at: "2026-11-20T10:00:00Z",
  finished_at: null,
  ...over,
});

const file = (name: string, format: string, is_key = false) => ({
  name,
  format,
  kind: "captions",
  bytes: 2_000,
  is_key,
  is_destroyed: false,
  sha256: "ab".repeat(32),
  url: `/api/v1/releases/7/files/${name}`,
});

afterEach(() => vi.unstubAllGlobals());

describe("The public page of a release", () => {
  it.each([
    [true, true, "/p/x/en/captions-v2/"],
    [true, false, "/b/x/public-pages"],
    [false, true, "/b/x/public-pages"],
  ])("leads heads to its public page, or to where it is opened (%s, %s)", async (isOpen, isPublic, address) => {
    const publication = { is_open: isOpen, url: "/p/x/", releases: [{ label: "captions-v2", is_public: isPublic }] };
    const release = sampleRelease({ state: "published", frozen_at: "2026-11-20T10:00:00Z", published_at: "2026-11-20T11:00:00Z" });
    const { asked } = serve({
      ...replies(release, [...EVERYTHING, "publication_show"]),
      "GET /api/v1/benchmarks/x/publication": { body: publication },
    });
    await show();
    await waitFor(() => expect(asked.some((one) => one.path.endsWith("/publication"))).toBe(true));
    await screen.findByTestId("to-leaderboard");
    const link = await screen.findByTestId(isOpen && isPublic ? "to-public-page" : "to-public-pages");
    expect(link.getAttribute("href")).toBe(address);
  });
});

describe("A release", () => {
  it("warns of questions that are asked twice, which prevent nothing", async () => {
    const params = { other: "mcq-000011", picture: "img-0004", total: 1 };
    serve(replies(sampleRelease({ warnings: [{ code: "question_twice", params, label: "mcq-000013", link: "/b/x/items/13" }] })));
    await show();
    expect((await screen.findByTestId("warnings")).textContent).toContain("mcq-000013 asks the same question as mcq-000011 on img-0004");
    expect(screen.getByText("mcq-000013").getAttribute("href")).toBe("/b/x/items/13");
    expect(screen.getByTestId("gates-open")).toBeTruthy();
  });

  it("names errata among the warnings, and counts those of every sort", async () => {
    const warnings = [
      { code: "erratum_waiting", params: { no: 4, total: 1 }, label: "cap-000003", link: "/b/x/errata" },
      { code: "erratum_uncorrected", params: { no: 3, total: 201 }, label: "cap-000003", link: "/b/x/errata" },
    ];
    serve(replies(sampleRelease({ warnings })));
    await show();
    const shown = (await screen.findByTestId("warnings")).textContent;
    expect(shown).toContain("Warnings 202");
    expect(shown).toContain("has the confirmed erratum 3 and is unchanged since the previous release");
  });

  it("lists its failing gates and links to where they are fixed", async () => {
    const release = sampleRelease({
      gates: [
        { code: "licence", params: { licence: "CC BY-ND" }, label: "img-0001", link: "/b/x/pictures/1" },
        { code: "personal_information", params: {}, label: "img-0002", link: "/b/x/pictures/2" },
        { code: "image_outside_subset", params: { subset: "B", expected: "A" }, label: "img-0003", link: "/b/x/pictures/3" },
        { code: "image_outside_subset", params: { subset: "", expected: "A" }, label: "img-0004", link: "/b/x/pictures/4" },
      ],
      gate_counts: [
        { code: "licence", n: 300 },
        { code: "personal_information", n: 1 },
        { code: "image_outside_subset", n: 2 },
      ],
      by_kind: [sampleKind({ left_out: [{ code: "item_excluded", n: 3, link: "/b/x/items?state=excluded" }] })],
      available_actions: ["release_check", "release_update"],
    });
    const server = serve({
      ...replies(release),
      "POST /api/v1/releases/7/check": { status: 409, body: { code: "gates_failed", params: { count: 301 }, detail: "" } },
    });
    await show();
    const licence = await screen.findByTestId("gate-licence");
    expect(licence.dataset.total).toBe("300");
    expect(licence.textContent).toContain("CC BY-ND");
    expect(screen.getByText("img-0002").getAttribute("href")).toBe("/b/x/pictures/2");
    const outside = screen.getByTestId("gate-image_outside_subset").textContent;
    expect(outside).toContain("img-0003 (in B, needed: A)");
    expect(outside).toContain("img-0004 (in no subset, needed: A)");
    expect(screen.getByTestId("not-included-item_excluded").querySelector("a")?.getAttribute("href")).toBe("/b/x/items?state=excluded");
    await userEvent.click(screen.getByTestId("check"));
    expect((await screen.findByTestId("problem")).dataset.code).toBe("gates_failed");
    expect(server.asked.filter((one) => one.method === "POST")).toHaveLength(1);
  });

  it("names items in work once, where they must be finished first, and what their track needs", async () => {
    const release = sampleRelease({
      gates: [{ code: "item_not_accepted", params: { state: "returned" }, label: "cap-000002", link: "/b/x/items/2" }],
      gate_counts: [{ code: "item_not_accepted", n: 1 }],
      by_kind: [
        sampleKind({
          left_out: [
            { code: "item_returned", n: 1, link: "/b/x/items?state=returned" },
            { code: "item_todo", n: 2, link: "/b/x/items?state=todo" },
          ],
        }),
      ],
    });
    serve({ ...replies(release), "GET /api/v1/benchmarks/x": { body: { protocol: { content: { kinds: { captions: { track: "peer" } } } }, categories: [] } } });
    await show();
    await waitFor(() => expect(screen.getByTestId("gate-item_not_accepted").textContent).toContain("Have their team correct and star them"));
    expect(screen.queryByTestId("not-included-item_returned")).toBeNull();
    expect(screen.getByTestId("not-included-item_todo")).toBeTruthy();
  });

  it("with too many items shows its content after a check, and of when that is", async () => {
    const splits = [{ name: "train", images: 0, items: 0, withheld: false }];
    const release = sampleRelease({ is_computed: false, images: null, items: 250_000, splits, available_actions: ["release_check"] });
    const server = serve(replies(release));
    await show();
    expect((await screen.findByTestId("gates-not-computed")).textContent).toContain("too many items");
    expect(screen.queryByTestId("gates-open")).toBeNull();
    expect(screen.getByTestId("next").textContent).toContain("would contain 250,000 items.");
    expect(screen.getByText("Splits are shown after the check")).toBeTruthy();
    const running = sampleRelease({ ...release, checking: true, available_actions: [], job: job({ kind: "annotation.check_release" }) });
    server.replies["POST /api/v1/releases/7/check"] = { body: running };
    server.replies["GET /api/v1/releases/7"] = { body: running };
    await userEvent.click(screen.getByTestId("check"));
    await waitFor(() => expect(screen.getByTestId("job").dataset.phase).toBe("checking"));
  });

  it("of the last check says so beside gates and splits", async () => {
    const gates = [{ code: "licence", params: {}, label: "img-0001", link: "/b/x/pictures/1" }];
    serve(replies(sampleRelease({ as_of: "2026-11-20T09:12:00Z", gates, gate_counts: [{ code: "licence", n: 1 }] })));
    await show();
    expect((await screen.findByTestId("gates")).textContent).toMatch(/As of the last check, Nov 20, 2026/);
    expect(screen.getByText(/^Splits as of Nov 20, 2026/)).toBeTruthy();
  });

  it("is frozen only after a confirmation", async () => {
    const release = sampleRelease({ state: "checked", available_actions: ["release_freeze", "release_reopen"] });
    const server = serve({ ...replies(release), "POST /api/v1/releases/7/freeze": { body: release } });
    await show();
    await screen.findByTestId("gates-open");
    fireEvent.click(screen.getByTestId("freeze"));
    expect(server.asked.some((one) => one.method === "POST")).toBe(false);
    fireEvent.click(screen.getByTestId("freeze-cancel"));
    fireEvent.click(screen.getByTestId("freeze"));
    fireEvent.click(screen.getByTestId("freeze-confirm"));
    await vi.waitFor(() => expect(server.asked.filter((one) => one.method === "POST").map((one) => one.path)).toEqual(["/api/v1/releases/7/freeze"]));
  });

  it("cannot be frozen while a gate fails", async () => {
    const gates = [{ code: "licence", params: {}, label: "img-0001", link: "/b/x/pictures/1" }];
    serve(replies(sampleRelease({ state: "checked", gates, available_actions: ["release_freeze"] })));
    await show();
    expect((await screen.findByTestId<HTMLButtonElement>("freeze")).disabled).toBe(true);
    expect(screen.getByText(/changed since the check/)).toBeTruthy();
  });
});

describe("A release that is written", () => {
  it("shows the progress of writing, disables publishing, and polls", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const frozen = sampleRelease({
      state: "frozen",
      frozen_at: "2026-11-20T10:00:00Z",
      job: job({}),
      missing_files: ["captions-test.jsonl"],
      available_actions: ["release_publish", "release_write", "release_withdraw"],
    });
    const server = serve(replies(frozen));
    await show();
    expect((await screen.findByTestId("job")).dataset.phase).toBe("writing");
    expect(screen.getByTestId<HTMLButtonElement>("publish").disabled).toBe(true);
    expect(screen.getByTestId("missing-files").textContent).toContain("captions-test.jsonl");
    server.replies["GET /api/v1/releases/7"] = { body: { ...frozen, missing_files: [], job: job({ state: "done", done: 10 }) } };
    await vi.advanceTimersByTimeAsync(2_100);
    await vi.waitFor(() => expect(screen.queryByTestId("job")).toBeNull());
    expect(screen.getByTestId<HTMLButtonElement>("publish").disabled).toBe(false);
    vi.useRealTimers();
  });

  it("says how much space a waiting job needs", async () => {
    const waiting = job({ state: "queued", error_code: "storage_full", error_params: { disk: "media", free: 0, needed: 2_000_000 } });
    serve(replies(sampleRelease({ state: "frozen", frozen_at: "2026-11-20T10:00:00Z", job: waiting })));
    await show();
    const section = await screen.findByTestId("job");
    expect(section.dataset.phase).toBe("waiting");
    expect(section.textContent).toContain("2 MB needed, 0 bytes free");
    expect(section.textContent).toContain("continues once there is enough space");
  });

  it("shows why files were not written and retries", async () => {
    const failed = sampleRelease({
      state: "frozen",
      frozen_at: "2026-11-20T10:00:00Z",
      job: job({ state: "failed", error_code: "release_file_gone", error_params: { name: "captions-test.jsonl" } }),
      missing_files: ["captions-test.jsonl"],
      available_actions: ["release_publish", "release_write"],
    });
    const server = serve({ ...replies(failed), "POST /api/v1/releases/7/write": { body: failed } });
    await show();
    const failure = await screen.findByTestId("job-failed");
    expect(failure.dataset.code).toBe("release_file_gone");
    expect(failure.textContent).toContain("captions-test.jsonl");
    await userEvent.click(screen.getByTestId("write"));
    await vi.waitFor(() => expect(server.asked.map((one) => `${one.method} ${one.path}`)).toContain("POST /api/v1/releases/7/write"));
  });

  it("lists key files separately from public files", async () => {
    const files = [file("captions-train.jsonl", "jsonl"), file("captions-test-key.jsonl", "jsonl", true)];
    serve(replies(sampleRelease({ state: "published", frozen_at: "2026-11-20T10:00:00Z", files })));
    await show();
    const keys = await screen.findByTestId("key-files");
    await vi.waitFor(() => expect(keys.querySelector("a")?.textContent).toBe("captions-test-key.jsonl"));
    expect(screen.getByTestId("format-jsonl").textContent).not.toContain("key");
    expect(screen.getByTestId("split-test").dataset.withheld).toBe("true");
  });
});

describe("A chart among the files", () => {
  it("is drawn below them", async () => {
    const files = [file("tcc-bench-categories.svg", "tcc_csv")];
    serve({
      ...replies(sampleRelease({ state: "published", frozen_at: "2026-11-20T10:00:00Z", files })),
      "GET /api/v1/releases/7/files/tcc-bench-categories.svg": { body: "<svg>#50%</svg>" },
    });
    await show();
    const drawing = await screen.findByTestId("drawing-tcc-bench-categories.svg");
    expect(decodeURIComponent(drawing.querySelector("img")?.src ?? "")).toBe('data:image/svg+xml,"<svg>#50%</svg>"');
  });
});

describe("A release as one download", () => {
  const archive = { files: 12, bytes: 3_400_000, url: "/api/v1/releases/7/archive.zip" };
  const over = { frozen_at: "2026-11-20T10:00:00Z", files: [file("captions-train.jsonl", "jsonl")], archive } as const;

  it("names how many files it has and its size", async () => {
    serve(replies(sampleRelease({ ...over, state: "published", files: [...over.files] })));
    await show();
    const link = (await screen.findByTestId("archive")).querySelector("a");
    expect([link?.getAttribute("href"), link?.textContent]).toEqual([archive.url, "Download all 3.4 MB"]);
    expect(screen.getByTestId("archive").textContent).toContain("12 files in one ZIP file");
  });

  it("is not offered by a withdrawn release", async () => {
    serve(replies(sampleRelease({ ...over, state: "withdrawn", withdrawn_reason: "…", files: [...over.files] })));
    await show();
    await screen.findByTestId("files");
    expect(screen.queryByTestId("archive")).toBeNull();
  });
});

describe("A release with a picture that was covered", () => {
  it("says why its files with pictures are gone, and links to the others", async () => {
    const files = [file("captions-train.jsonl", "jsonl"), { ...file("captions-train.parquet", "parquet"), is_destroyed: true }];
    serve(replies(sampleRelease({ state: "published", frozen_at: "2026-11-20T10:00:00Z", files, covered_pictures: 1 })));
    await show();
    const gone = await screen.findByTestId("file-captions-train.parquet");
    expect([gone.querySelector("a"), gone.querySelector("td")?.textContent]).toEqual([null, "captions-train.parquet contains pictures; destroyed"]);
    expect(screen.getByTestId("file-captions-train.jsonl").querySelector("a")?.getAttribute("href")).toBe("/api/v1/releases/7/files/captions-train.jsonl");
    expect(screen.queryByTestId("archive")).toBeNull();
    expect(screen.getByText(/^1 picture of this release was covered after it was frozen\. Its files with pictures no longer exist/)).toBeTruthy();
  });
});

describe("What may be done with a release", () => {
  it("offers no downloads once it is withdrawn", async () => {
    const files = [file("captions-train.jsonl", "jsonl")];
    const over = { state: "withdrawn", frozen_at: "2026-11-20T10:00:00Z", withdrawn_at: "2026-11-21T10:00:00Z", withdrawn_reason: "A name was read", files } as const;
    serve(replies(sampleRelease({ ...over, files: [...files] })));
    await show();
    expect((await screen.findByTestId("file-captions-train.jsonl")).querySelector("a")).toBeNull();
    expect(screen.getByTestId("withdrawn-reason").textContent).toBe("A name was read");
  });

  it("is withdrawn with a reason and its name typed, not before", async () => {
    const release = sampleRelease({ state: "published", frozen_at: "2026-11-20T10:00:00Z", available_actions: ["release_withdraw"] });
    const server = serve({ ...replies(release), "POST /api/v1/releases/7/withdraw": { body: release } });
    await show();
    await userEvent.click(await screen.findByTestId("withdraw-open"));
    const go = screen.getByTestId<HTMLButtonElement>("withdraw-confirm");
    await userEvent.type(screen.getByTestId("withdraw-reason"), "A name was read");
    expect(go.disabled).toBe(true);
    await userEvent.type(screen.getByTestId("withdraw-label"), "captions-v2");
    await userEvent.click(go);
    await vi.waitFor(() => expect(server.asked.find((one) => one.method === "POST")?.body).toMatchObject({ reason: "A name was read" }));
  });

  it("changes a draft's settings", async () => {
    const release = sampleRelease({ available_actions: ["release_update"] });
    const server = serve({ ...replies(release), "PATCH /api/v1/releases/7": { body: release } });
    await show();
    await userEvent.click(await screen.findByTestId("edit"));
    await userEvent.clear(screen.getByTestId("release-seed"));
    expect(screen.getByTestId<HTMLButtonElement>("settings-confirm").disabled).toBe(true);
    await userEvent.type(screen.getByTestId("release-seed"), "9");
    await userEvent.click(screen.getByTestId("splits-anew"));
    await userEvent.click(screen.getByTestId("settings-confirm"));
    await vi.waitFor(() =>
      expect(server.asked.find((one) => one.method === "PATCH")?.body).toMatchObject({ seed: "9", splits_from: "anew", notes: "" }),
    );
  });

  it("shows the changes since the previous release by the address", async () => {
    const release = sampleRelease({
      state: "frozen",
      frozen_at: "2026-11-20T10:00:00Z",
      changes: { added: 1, removed: 0, changed: 1 },
      by_kind: [sampleKind({ previous: { id: 5, label: "captions-v1" }, changes: { added: 1, removed: 0, changed: 1 } })],
    });
    const rows = [{ label: "cap-000003", change: "changed", revision: 2, previous_revision: 1, image: { label: "img-0003", thumb_url: "/thumb.webp" }, first_text: "one red lion", previous_text: "one lion", errata: [3] }];
    const server = serve({
      ...replies(release),
      "GET /api/v1/releases/7/changes": { body: { results: rows, next: null, total: 1, total_is_capped: false } },
    });
    const { router } = await show("/b/x/releases/7?changes=");
    const row = await screen.findByTestId("change-cap-000003");
    expect(row.querySelector("ins")?.textContent).toContain("red");
    expect(row.textContent).toContain("corrects erratum 3");
    expect(row.querySelector("del")).toBeNull();
    await userEvent.click(screen.getByTestId("changes-added"));
    expect(router.state.location.search).toBe("?changes=added");
    const filters = () => server.asked.filter((one) => one.path.endsWith("/changes")).map((one) => one.query.get("change"));
    await vi.waitFor(() => expect(filters()).toEqual(["changed", "added"]));
  });
});

describe("A release of several kinds", () => {
  const questions = sampleKind({ kind: "vqa", images: 4, items: 6, previous: { id: 3, label: "vqa-v1" }, changes: { added: 2, removed: 0, changed: 0 } });
  const release = sampleRelease({
    label: "x-v1",
    kinds: ["captions", "vqa"],
    state: "frozen",
    frozen_at: "2026-11-20T10:00:00Z",
    by_kind: [sampleKind(), questions],
    changes: { added: 2, removed: 0, changed: 0 },
  });

  it("shows what it holds of each, and what each is compared with", async () => {
    serve(replies(release));
    await show();
    const row = await screen.findByTestId("kind-vqa");
    expect(row.textContent).toBe("Visual questions46vqa-v1");
    expect(row.querySelector("a")?.getAttribute("href")).toBe("/b/x/releases/3");
    expect(screen.getByTestId("kind-captions").textContent).toContain("—");
  });

  it("lists the changes of one kind at a time, first of one that has an earlier release", async () => {
    const server = serve({
      ...replies(release),
      "GET /api/v1/releases/7/changes": { body: { results: [], next: null, total: 0, total_is_capped: false } },
    });
    const { router } = await show("/b/x/releases/7?changes=");
    const kinds = () => server.asked.filter((one) => one.path.endsWith("/changes")).map((one) => one.query.get("kind"));
    await vi.waitFor(() => expect(kinds()).toEqual(["vqa"]));
    await userEvent.click(screen.getByTestId("changes-kind-captions"));
    expect(router.state.location.search).toContain("kind=captions");
    await vi.waitFor(() => expect(kinds()).toEqual(["vqa", "captions"]));
  });
});
