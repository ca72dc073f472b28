import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { ProposalPage } from "./ProposalPage";

const name = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const proposal = (part: object = {}) => ({
  id: 7,
  benchmark: "x",
  version: 3,
  proposed_by: { id: 2, name: "Lin" },
  created_at: "2026-11-20T08:00:00Z",
  is_own: false,
  state: "open",
  source: "meta: {}\n",
  source_sha256: "0".repeat(64),
  changes: [{ path: "roles.senior.capabilities", before: ["review"], after: ["review", "inspect"], is_locked: false }],
  role_changes: [{ role: "senior", name: name("Senior"), gained: ["inspect"], lost: [] }],
  asks_consent_again: false,
  warnings: [],
  may_adopt: true,
  ...part,
});
const replies = (part: object = {}) => ({
  "GET /api/v1/benchmarks/x": { body: { slug: "x", protocol: { version: 2, name: "cvlue", content: {}, planned: [] }, categories: [] } },
  "GET /api/v1/protocol-proposals/7": { body: proposal(part) },
  "POST /api/v1/benchmarks/x/protocols": { status: 201, body: { version: 3 } },
  "POST /api/v1/protocol-proposals/7/withdraw": { body: proposal({ state: "withdrawn", may_adopt: false }) },
});
const at = { path: "/b/:slug/protocol/proposals/:proposal", at: "/b/x/protocol/proposals/7" };

afterEach(() => vi.unstubAllGlobals());

describe("ProposalPage", () => {
  it("shows whose rights change, and a second administrator adopts that very text", async () => {
    const server = serve(replies());
    const { router } = await renderScreen(<ProposalPage />, at);
    expect((await screen.findByTestId("role-change-senior")).textContent).toBe("now: inspects samples");
    expect(screen.getByText(/Version 3, proposed by Lin/)).toBeTruthy();
    await userEvent.click(screen.getByTestId("adopt"));
    await waitFor(() => expect(router.state.location.pathname).toBe("/b/x/protocol/versions/3"));
    const sent = server.asked.find((one) => one.path === "/api/v1/benchmarks/x/protocols")?.body;
    expect(sent).toMatchObject({ text: "meta: {}\n", base_version: 2 });
  });

  it("is not adopted by the person who proposed it, who may withdraw it", async () => {
    const server = serve(replies({ is_own: true, may_adopt: false }));
    const { router } = await renderScreen(<ProposalPage />, at);
    const button = await screen.findByTestId("withdraw");
    expect(button.textContent).toBe("Withdraw proposal");
    expect(screen.queryByTestId("adopt")).toBeNull();
    expect(screen.getByText(/the site owner has to adopt this version/)).toBeTruthy();
    await userEvent.click(button);
    await waitFor(() => expect(router.state.location.pathname).toBe("/b/x/protocol/versions"));
    expect(server.asked.some((one) => one.path === "/api/v1/protocol-proposals/7/withdraw")).toBe(true);
  });

  it("offers nothing once it is closed", async () => {
    serve(replies({ state: "outdated", may_adopt: false }));
    await renderScreen(<ProposalPage />, at);
    expect(await screen.findByText(/Another version was adopted since/)).toBeTruthy();
    expect(screen.queryByTestId("adopt")).toBeNull();
    expect(screen.queryByTestId("withdraw")).toBeNull();
  });
});
