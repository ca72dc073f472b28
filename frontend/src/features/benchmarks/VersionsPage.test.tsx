import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { ComparePage } from "./ComparePage";
import { VersionsPage } from "./VersionsPage";

const name = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const row = (version: number, part: object = {}) => ({
  version,
  name: "cvlue",
  title: name("CVLUE"),
  source_sha256: "0".repeat(64),
  created_at: "2026-11-20T08:00:00Z",
  created_by: { id: 1, name: "Han" },
  is_current: false,
  ...part,
});
const session = (operations: string[]) => ({
  body: {
    person: { id: 1, username: "me", name: "Me", language: "en" },
    is_owner: false,
    benchmarks: [{ slug: "x", title: name("X"), roles: [], operations, kinds: [], consent: { needed: false, given: false }, teams: [] }],
    build: "one",
  },
});
const replies = (operations = ["protocol_list", "protocol_adopt"]) => ({
  "GET /api/v1/session": session(operations),
  "GET /api/v1/benchmarks/x/protocols": { body: [row(3, { is_current: true }), row(2, { created_by: null }), row(1)] },
  "GET /api/v1/benchmarks/x/protocol-proposals": {
    body: [{ id: 7, version: 4, proposed_by: { id: 2, name: "Lin" }, created_at: "2026-11-20T08:00:00Z", is_own: false }],
  },
  "GET /api/v1/benchmarks/x": { body: { slug: "x", protocol: { version: 3, name: "cvlue", content: {}, planned: [] }, categories: [] } },
  "GET /api/v1/benchmarks/x/protocols/3/compare": {
    body: {
      version: 3,
      other: 1,
      changes: [
        { path: "images.licences.MIT", before: { code: "MIT", name: name("MIT licence"), releasable: true }, after: null, is_locked: false },
        { path: "consent.version", before: 1, after: 2, is_locked: false },
      ],
      role_changes: [{ role: "curator", name: name("Curator"), gained: [], lost: ["inspect"] }],
      asks_consent_again: true,
    },
  },
});
const at = { path: "/b/:slug/protocol/versions", at: "/b/x/protocol/versions" };

afterEach(() => vi.unstubAllGlobals());

describe("VersionsPage", () => {
  it("lists who adopted each version, which is in force, and leads to what it changed", async () => {
    serve(replies());
    await renderScreen(<VersionsPage />, at);
    const newest = await screen.findByTestId("version-3");
    expect(newest.textContent).toContain("current");
    expect(newest.textContent).toContain("Han");
    expect(screen.getByTestId("version-2").textContent).toContain("author not recorded");
    expect(within(newest).getByText("changes since version 2").getAttribute("href")).toBe("/b/x/protocol/compare?version=3&with=2");
    expect(within(screen.getByTestId("version-1")).queryByText(/changes since/)).toBeNull();
    expect(await screen.findByTestId("adopt-link")).toBeTruthy();
    const proposal = within(await screen.findByTestId("proposals"));
    expect(proposal.getByText("Version 4").closest("a")?.getAttribute("href")).toBe("/b/x/protocol/proposals/7");
    expect(proposal.getByText(/Lin/)).toBeTruthy();
  });

  it("offers a new version only to who may adopt one", async () => {
    const server = serve(replies(["protocol_list"]));
    await renderScreen(<VersionsPage />, at);
    await screen.findByTestId("version-3");
    expect(screen.queryByTestId("adopt-link")).toBeNull();
    expect(server.asked.some((one) => one.path.endsWith("/protocol-proposals"))).toBe(false);
  });

  it("compares any two", async () => {
    serve(replies());
    const { router } = await renderScreen(<VersionsPage />, at);
    await userEvent.selectOptions(await screen.findByTestId("older"), "1");
    await userEvent.click(screen.getByTestId("compare"));
    expect(router.state.location.search).toBe("?version=3&with=1");
  });
});

describe("ComparePage", () => {
  it("shows what went, what came, and that consent is fetched again", async () => {
    const server = serve(replies());
    await renderScreen(<ComparePage />, { path: "/b/:slug/protocol/compare", at: "/b/x/protocol/compare?version=3&with=1" });
    const gone = await screen.findByTestId("change-images.licences.MIT");
    expect(gone.textContent).toContain("removed");
    expect(gone.textContent).not.toContain("after");
    expect(screen.getByTestId("role-change-curator").textContent).toBe("no longer: inspects samples");
    expect(screen.getByTestId("change-consent.version").textContent).toContain("before1after2");
    expect(screen.getByRole("status").textContent).toContain("everyone was asked again");
    expect(server.asked.find((one) => one.path.endsWith("/compare"))?.query.get("with")).toBe("1");
  });
});
