// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactElement } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { sendForm } from "@/api/form";
import type { SubmissionDetail } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { statusOf } from "./status";
import { SubmissionPage } from "./SubmissionPage";
import { SubmissionsPage } from "./SubmissionsPage";

vi.mock("@/api/form", () => ({ sendForm: vi.fn() }));

const text = (word: string) => ({ "zh-Hans": word, "zh-Hant": word, en: word });
const session = (...operations: string[]) => ({
  body: {
    person: { id: 1, username: "me", name: "Me", language: "en" },
    is_owner: false,
    benchmarks: [{ slug: "x", title: text("X"), roles: [], operations, kinds: ["captions"], consent: { needed: false, given: false }, teams: [] }],
    build: "one",
  },
});
const release = { id: 5, label: "captions-v1", kinds: ["captions"], state: "published" };
const requirements = {
  release,
  kind: "captions",
  open: true,
  splits: ["test"],
  withheld: true,
  expected: 9,
  profiles: [
    { name: "cvlue-itr/paper", source: "over all queries" },
    { name: "cvlue-itr/official", source: "over the answer file" },
  ],
  day: { limit: 5, used: 1, refused: 2, refused_limit: 20, until: "2026-11-22T00:00:00+08:00" },
  total: { limit: 100, used: 12 },
  crew: "",
  maximum_bytes: 1_000,
};
const job = { id: 3, kind: "evaluation.score_submission", state: "done", done: 3, total: 3, error_code: null, error_params: {}, created_at: "2026-11-21T08:00:00Z", finished_at: null };
const figure = (scope: string, metric: string, value: number | null) => ({ scope, metric, value, low: value === null ? null : value - 0.1, high: value === null ? null : value + 0.1, n: 6, chance: null });
const one: SubmissionDetail = {
  id: 7,
  person: { id: 1, name: "Me" },
  crew: "",
  system: "Model A",
  note: "zero-shot",
  profile: "cvlue-itr/paper",
  name: "answers.jsonl",
  bytes: 900,
  sha256: "ab".repeat(32),
  state: "scored",
  fault: null,
  listed: false,
  hidden_reason: "",
  created_at: "2026-11-21T08:00:00Z",
  scored_at: "2026-11-21T08:00:02Z",
  job: job as SubmissionDetail["job"],
  available_actions: ["submission_list_on"],
  release,
  kind: "captions",
  report: {
    source: "CVLUE section 5",
    few_known_ids: null,
    n_expected: 9,
    n_scored: 8,
    n_missing: 1,
    n_unparsable: 0,
    n_refused: 0,
    n_failed: 0,
    n_unknown_ids: 2,
    n_duplicate: 0,
    figures: [figure("t2i", "R@1", 0.5), figure("i2t", "R@1", null)],
    breakdowns: [
      { by: "category", groups: [{ group: "lantern", n: 9, figures: [figure("t2i", "R@1", 0.25), figure("i2t", "R@1", 0.75)] }] },
    ],
    least_group: 20,
    interval: { method: "b", resamples: 1000, seed: 20250427 },
  },
};
const page = (...results: unknown[]) => ({ body: { results, next: null, total: results.length, total_is_capped: false, requirements } });
const withKeys = (shown: ReactElement) => (
  <>
    {shown}
    <KeySheets />
  </>
);
const LIST = { at: "/b/x/releases/5/submissions", path: "/b/:slug/releases/:releaseId/submissions" };
const ONE = { at: "/b/x/releases/5/submissions/7", path: "/b/:slug/releases/:releaseId/submissions/:submissionId" };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.mocked(sendForm).mockReset();
});

describe("SubmissionsPage", () => {
  it("shows the requirements and submits the chosen file with its profile", async () => {
    serve({ "GET /api/v1/session": session("submission_list", "submission_create"), "GET /api/v1/releases/5/submissions": page() });
    vi.mocked(sendForm).mockResolvedValue(one);
    const { router } = await renderScreen(withKeys(<SubmissionsPage />), LIST);
    expect((await screen.findByTestId("submission-requirements")).textContent).toContain("9 ids");
    expect(screen.getByTestId("submission-day").textContent).toContain("1 of 5");
    expect(screen.getByTestId("submission-template").getAttribute("href")).toBe("/api/v1/releases/5/submissions/template?kind=captions");
    await userEvent.upload(screen.getByTestId("submission-file"), new File(["{}"], "answers.jsonl"));
    expect(screen.getByTestId<HTMLButtonElement>("submission-send").disabled).toBe(true);
    await userEvent.type(screen.getByTestId("submission-system"), "Model A");
    await userEvent.selectOptions(screen.getByTestId("submission-profile"), "cvlue-itr/official");
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/b/x/releases/5/submissions/7"));
    const body = vi.mocked(sendForm).mock.calls[0]?.[1].body as FormData;
    expect([body.get("system"), body.get("profile"), (body.get("file") as File).name]).toEqual(["Model A", "cvlue-itr/official", "answers.jsonl"]);
  });

  it("shows why a file is rejected, and does not send one that is too large", async () => {
    serve({ "GET /api/v1/session": session("submission_list", "submission_create"), "GET /api/v1/releases/5/submissions": page(one) });
    vi.mocked(sendForm).mockRejectedValue(new ApiError(429, "submission_limit", { limit: 5, until: "" }));
    await renderScreen(<SubmissionsPage />, LIST);
    await userEvent.type(await screen.findByTestId("submission-system"), "Model A");
    await userEvent.upload(screen.getByTestId("submission-file"), new File(["x".repeat(1_001)], "large.jsonl"));
    expect(screen.getByTestId("problem").dataset.code).toBe("submission_too_large");
    expect(screen.getByTestId<HTMLButtonElement>("submission-send").disabled).toBe(true);
    await userEvent.upload(screen.getByTestId("submission-file"), new File(["{}"], "answers.jsonl"));
    await userEvent.click(screen.getByTestId("submission-send"));
    expect((await screen.findByTestId("problem")).dataset.code).toBe("submission_limit");
    expect(screen.getByTestId("submission-7").textContent).toContain("Model A");
  });

  it("shows no form if the release takes no submissions", async () => {
    const closed = { ...page(one).body, requirements: { ...requirements, open: false } };
    serve({ "GET /api/v1/session": session("submission_list", "submission_create"), "GET /api/v1/releases/5/submissions": { body: closed } });
    await renderScreen(<SubmissionsPage />, LIST);
    expect(await screen.findByTestId("submission-7")).toBeTruthy();
    expect(screen.queryByTestId("new-submission")).toBeNull();
  });
});

describe("SubmissionPage", () => {
  it("says before the figures that the file has other ids than the release", async () => {
    const few = { known: 1, in_file: 1_200, expected: 9, unknown: ["a-0", "b-0"], missing: ["a", "b"] };
    const report = { ...one.report, few_known_ids: few };
    serve({ "GET /api/v1/session": session("submission_list", "submission_show"), "GET /api/v1/submissions/7": { body: { ...one, report } } });
    await renderScreen(<SubmissionPage />, ONE);
    const notice = await screen.findByTestId("few-known-ids");
    expect(notice.textContent).toBe("Only 1 of the 1,200 ids in this file are among the 9 that this release expects.");
    expect(notice.parentElement?.textContent).toContain("Not in the release: a-0 · b-0Expected, but not in the file: a · b");
    expect(notice.compareDocumentPosition(screen.getByTestId("submission-figures"))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it("shows the report in figures, counts and breakdowns, and lists it by key", async () => {
    const server = serve({
      "GET /api/v1/session": session("submission_list", "submission_show"),
      "GET /api/v1/submissions/7": { body: one },
      "POST /api/v1/submissions/7/list-on": { body: { ...one, listed: true } },
    });
    await renderScreen(withKeys(<SubmissionPage />), ONE);
    expect((await screen.findAllByTestId("figure-t2i-R@1"))[0]?.dataset.value).toBe("0.5");
    expect(screen.getByTestId("submission-figures").textContent).toContain("40.0 – 60.0");
    expect([screen.getByTestId("count-missing").textContent, screen.getByTestId("count-unknown_ids").textContent]).toEqual(["1", "2"]);
    expect(screen.getByTestId("breakdown-category").textContent).toMatch(/25\.0%.*75\.0%/);
    expect(screen.getByTestId("submission-report").textContent).toContain("groups of fewer than 20 answers are left out");
    await userEvent.keyboard("l");
    await vi.waitFor(() => expect(server.asked.some(({ path }) => path.endsWith("/list-on"))).toBe(true));
  });

  it("shows where a file could not be read, in the reader's language", async () => {
    const fault = { code: "wrong_row", line: 12, field: "response", expected: "a list" };
    serve({
      "GET /api/v1/session": session("submission_list", "submission_show"),
      "GET /api/v1/submissions/7": { body: { ...one, state: "refused", report: null, fault, available_actions: [] } },
    });
    await renderScreen(<SubmissionPage />, ONE);
    expect((await screen.findByTestId("submission-fault")).textContent).toBe("Row 12, field response: expected a ranked list.");
    expect(screen.queryByTestId("submission-download")).toBeNull(); // it is not kept
    expect([screen.queryByTestId("submission-report"), screen.queryByTestId("submission-list")]).toEqual([null, null]);
  });

  it("says that a file waits for disk space, and how much", async () => {
    const waiting = { ...job, state: "queued", error_code: "storage_full", error_params: { disk: "media", free: 0, needed: 2_000_000 } };
    serve({
      "GET /api/v1/session": session("submission_list", "submission_show"),
      "GET /api/v1/submissions/7": { body: { ...one, state: "waiting", report: null, job: waiting, available_actions: [] } },
    });
    await renderScreen(<SubmissionPage />, ONE);
    expect((await screen.findByTestId("wait-reason")).textContent).toContain("2 MB needed, 0 bytes free");
    expect(screen.getByTestId("submission-status").dataset.status).toBe("waitingForSpace");
  });
});

describe("statusOf", () => {
  it.each([
    [{ state: "scored", job }, "scored"],
    [{ state: "refused", job }, "refused"],
    [{ state: "waiting", job: null }, "waiting"],
    [{ state: "waiting", job: { ...job, state: "queued" } }, "waiting"],
    [{ state: "waiting", job: { ...job, state: "queued", error_code: "storage_full" } }, "waitingForSpace"],
    [{ state: "waiting", job: { ...job, state: "running" } }, "scoring"],
    [{ state: "waiting", job: { ...job, state: "failed" } }, "failed"],
  ])("shows the status (%#)", (of, status) => {
    expect(statusOf(of as Parameters<typeof statusOf>[0])).toBe(status);
  });
});

describe("limits", () => {
  const limited = (changes: object) => {
    const body = page(one).body;
    return { body: { ...body, requirements: { ...body.requirements, ...changes } } };
  };
  it.each([
    ["day", { day: { ...requirements.day, used: 5 } }, "Today’s submissions are used up."],
    ["day", { day: { ...requirements.day, refused: 20 } }, "Today’s submissions are used up."],
    ["total", { total: { limit: 100, used: 100 }, day: { ...requirements.day, used: 5 } }, "All 100 submissions are used up."],
    ["none", { day: { ...requirements.day, limit: 0 } }, "This benchmark takes no submissions at the moment."],
  ])("says in place of the form that the limit is used up: %s", async (limit, changes, text) => {
    serve({ "GET /api/v1/session": session("submission_create"), "GET /api/v1/releases/5/submissions": limited(changes) });
    await renderScreen(<SubmissionsPage />, { at: "/b/x/releases/5/submissions", path: "/b/:slug/releases/:releaseId/submissions" });
    const notice = await screen.findByTestId("submission-used-up");
    expect(notice.dataset.limit).toBe(limit);
    expect(notice.textContent).toContain(text);
    expect(screen.queryByTestId("submission-system")).toBeNull();
    expect(screen.getByTestId("submission-day").textContent).not.toContain("The limit resets"); // the notice says it
  });

  it("counts for the crew, and says which", async () => {
    serve({ "GET /api/v1/session": session("submission_create"), "GET /api/v1/releases/5/submissions": limited({ crew: "Lanterns" }) });
    await renderScreen(<SubmissionsPage />, { at: "/b/x/releases/5/submissions", path: "/b/:slug/releases/:releaseId/submissions" });
    expect((await screen.findByTestId("submission-day")).textContent).toContain("Team Lanterns. Submissions today: 1 of 5.");
    expect(screen.getByTestId("submission-day").textContent).toContain("In all: 12 of 100.");
  });
});

describe("hiding", () => {
  const at = { at: "/b/x/releases/5/submissions/7", path: "/b/:slug/releases/:releaseId/submissions/:submissionId" };
  const read = "GET /api/v1/submissions/7";
  it("asks an administrator for the reason", async () => {
    const server = serve({
      "GET /api/v1/session": session("submission_show"),
      [read]: { body: { ...one, listed: true, available_actions: ["submission_hide"] } },
      "POST /api/v1/submissions/7/hide": { body: one },
    });
    await renderScreen(<SubmissionPage />, at);
    await userEvent.click(await screen.findByTestId("submission-hide"));
    expect(screen.getByTestId<HTMLButtonElement>("submission-hide-go").disabled).toBe(true);
    await userEvent.type(screen.getByTestId("submission-hide-reason"), "Trained on the test split");
    await userEvent.click(screen.getByTestId("submission-hide-go"));
    await vi.waitFor(() => expect(server.asked.find((asked) => asked.path.endsWith("/hide"))?.body).toMatchObject({ reason: "Trained on the test split" }));
    expect(screen.queryByTestId("submission-list")).toBeNull();
  });

  it("tells the owner why, and offers nothing", async () => {
    serve({ "GET /api/v1/session": session("submission_show"), [read]: { body: { ...one, hidden_reason: "Copied", available_actions: [] } } });
    await renderScreen(<SubmissionPage />, at);
    expect((await screen.findByTestId("submission-hidden")).textContent).toBe("An administrator took this off the leaderboard: Copied");
    for (const id of ["submission-list", "submission-hide", "submission-unhide"]) expect(screen.queryByTestId(id)).toBeNull();
  });

  it("lets an administrator undo it", async () => {
    const server = serve({
      "GET /api/v1/session": session("submission_show"),
      [read]: { body: { ...one, hidden_reason: "Copied", available_actions: ["submission_unhide"] } },
      "POST /api/v1/submissions/7/unhide": { body: one },
    });
    await renderScreen(<SubmissionPage />, at);
    await userEvent.click(await screen.findByTestId("submission-unhide"));
    await vi.waitFor(() => expect(server.asked.some((asked) => asked.path.endsWith("/unhide"))).toBe(true));
  });
});
