// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { SubmissionsPage } from "./SubmissionsPage";
import { SubmitPage } from "./SubmitPage";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const page = (participation: string, more: object = {}) => ({
  benchmark: { slug: "x", title: localised("X") },
  url: "/p/x/",
  may_join: true,
  participation,
  terms: { text: localised("For research only."), sha256: "5".repeat(64), for_files: false, accepted: true },
  ...more,
});
const release = { id: 5, label: "captions-v1", kinds: ["captions"], state: "published" };
const outsider = {
  body: { person: { id: 1, username: "me", name: "Me", language: "en" }, is_owner: false, benchmarks: [], submits_to: ["x"], build: "one" },
};
const read = "GET /api/v1/benchmarks/x/submit";
const noMail = { "GET /api/v1/session/mail": { body: { available: false, address: "", pending: "", digest: "off", zone: "UTC" } } };
const alone = { "GET /api/v1/benchmarks/x/crew": { body: { crew: null, may_join: true } } };
const releases = { "GET /api/v1/benchmarks/x/submissions": { body: [{ release, frozen_at: "2026-11-21T08:00:00Z", mine: 2 }] } };

afterEach(() => vi.unstubAllGlobals());

async function open(replies: Parameters<typeof serve>[0]) {
  const server = serve({ "GET /api/v1/session": outsider, ...noMail, ...releases, ...alone, ...replies });
  await renderScreen(<SubmitPage />, { at: "/submit/x", path: "/submit/:slug" });
  return server;
}

describe("SubmitPage", () => {
  it("lists the public releases for who joined and accepted the terms", async () => {
    const server = await open({ [read]: { body: page("outsider") } });
    const link = await screen.findByTestId("submit-predictions-captions-v1");
    expect(link.getAttribute("href")).toBe("/submit/x/releases/5");
    expect(screen.getByText("Report a mistake").getAttribute("href")).toBe("/submit/x/errata");
    expect(screen.getByTestId("submit-terms").dataset.accepted).toBe("true");
    expect(server.asked.some((one) => one.path === "/api/v1/benchmarks/x")).toBe(false);
  });

  it.each([
    ["", "", "Confirm an e-mail address before you submit."],
    ["", "li@example.org", "Confirm your e-mail address before you submit: open the link sent to li@example.org."],
    ["li@example.org", "", null],
  ])("says beforehand that a confirmed address is needed: %j, %j", async (address, pending, text) => {
    const mailbox = { body: { available: true, address, pending, digest: "off", zone: "UTC" } };
    const server = await open({ [read]: { body: page("outsider") }, "GET /api/v1/session/mail": mailbox });
    await screen.findByTestId("open-releases");
    await vi.waitFor(() => expect(server.asked.some((one) => one.path === "/api/v1/session/mail")).toBe(true));
    if (text === null) expect(screen.queryByTestId("address-needed")).toBeNull();
    else {
      expect((await screen.findByTestId("address-needed")).textContent).toBe(text);
      expect(screen.getByText("Account page").getAttribute("href")).toBe("/account");
    }
  });

  it("asks for the terms first, and for exactly the text that is shown", async () => {
    const open_ = page("outsider", { terms: { ...page("").terms, accepted: false } });
    const accept = "POST /api/v1/benchmarks/x/terms/accept";
    const server = await open({ [read]: { body: open_ }, [accept]: { body: page("outsider") } });
    expect(await screen.findByText("For research only.")).toBeTruthy();
    expect(screen.queryByTestId("open-releases")).toBeNull();
    server.replies[read] = { body: page("outsider") };
    await userEvent.click(screen.getByTestId("submit-accept"));
    expect(await screen.findByTestId("open-releases")).toBeTruthy();
    expect(server.asked.find((one) => one.path.endsWith("/accept"))?.body).toMatchObject({ terms_sha256: "5".repeat(64) });
  });

  it("lets someone who is signed in join", async () => {
    const server = await open({ [read]: { body: page("none") }, "POST /api/v1/benchmarks/x/submit/join": { body: { username: "me" } } });
    server.replies[read] = { body: page("outsider") };
    await userEvent.click(await screen.findByTestId("submit-join"));
    expect(await screen.findByTestId("open-releases")).toBeTruthy();
    expect(server.asked.find((one) => one.path.endsWith("/join"))?.body).toEqual({});
  });

  it.each([
    ["barred", {}, "An administrator ended your access to this benchmark."],
    ["none", { may_join: false }, "Submitting is by invitation. Ask the administrators for a link."],
  ])("says why nobody joins here: %s", async (participation, more, text) => {
    await open({ [read]: { body: page(participation, more) } });
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByTestId("submit-join")).toBeNull();
    expect(screen.queryByTestId("open-releases")).toBeNull();
  });

  it("keeps people outside the team below their own addresses", async () => {
    const day = { limit: 5, used: 0, refused: 0, refused_limit: 20, until: "2026-11-22T00:00:00+08:00" };
    const requirements = { release, kind: "captions", open: true, splits: ["test"], withheld: true, expected: 9, profiles: [], day, total: { limit: 100, used: 0 }, crew: "", maximum_bytes: 1_000 };
    const list = { body: { results: [], next: null, total: 0, total_is_capped: false, requirements } };
    serve({ "GET /api/v1/session": outsider, ...noMail, "GET /api/v1/releases/5/submissions": list });
    await renderScreen(<SubmissionsPage />, { at: "/submit/x/releases/5", path: "/submit/:slug/releases/:releaseId" });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Submit predictions");
    expect(await screen.findByTestId("submission-system")).toBeTruthy();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Predictions for captions-v1");
    expect(screen.getByText("All releases").getAttribute("href")).toBe("/submit/x");
  });
});
