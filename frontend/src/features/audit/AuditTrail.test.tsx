import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { AuditTrail } from "./AuditTrail";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const event = (part: object) => ({
  id: 1,
  at: "2026-11-20T08:00:00Z",
  actor: { id: 2, name: "Han" },
  action: "image_judge",
  target_type: "image",
  target_id: 7,
  label: "img-0042",
  state_from: "received",
  state_to: "refused",
  data: { reasons: ["watermark"] },
  ...part,
});
const replies = {
  "GET /api/v1/session": {
    body: {
      person: { id: 1, username: "me", name: "Me", language: "en" },
      is_owner: false,
      benchmarks: [{ slug: "x", title: localised("X"), roles: [], operations: ["audit_list", "audit_file"], kinds: [], consent: { needed: false, given: false }, teams: [] }],
      build: "one",
    },
  },
  "GET /api/v1/benchmarks/x": {
    body: { slug: "x", protocol: { version: 1, name: "p", content: { images: { refusal_reasons: [{ code: "watermark", name: localised("Has a watermark") }] } }, planned: [] } },
  },
  "GET /api/v1/benchmarks/x/audit": {
    body: {
      results: [
        event({}),
        event({ id: 2, action: "item_review", target_type: "item", target_id: 9, label: "cap-000009", state_from: "made", state_to: "returned", data: { outcome: "return", reasons: ["unheard_of"], package_id: 4 } }),
        event({ id: 4, action: "release_freeze", target_type: "release", label: "rel-1", state_from: "", state_to: "", data: { job: 8 } }),
        event({ id: 5, action: "release_freeze", target_type: "release", label: "rel-1", state_from: "checked", state_to: "frozen", data: { items: 5 } }),
        event({ id: 3, actor: null, action: "something_new", target_type: "upload", label: "", state_from: "", state_to: "", data: {} }),
      ],
      next: null,
      total: null,
      total_is_capped: false,
    },
  },
};
const at = { path: "/b/:slug/audit" };

afterEach(() => vi.unstubAllGlobals());

describe("AuditTrail", () => {
  it("says who did what on which thing, between which states and why, in words", async () => {
    serve(replies);
    await renderScreen(<AuditTrail />, { ...at, at: "/b/x/audit" });
    await screen.findByText("Has a watermark");
    const rows = within(screen.getByTestId("audit-rows")).getAllByRole("row");
    expect(rows[0]?.textContent).toContain("Han");
    expect(rows[0]?.textContent).toContain("Inspected the picture To inspect → Rejected");
    expect(rows[1]?.textContent).toContain("Reviewed an item: returned Written → Returned");
    expect(rows[1]?.textContent).toContain("unheard_of");
    expect(rows[4]?.textContent).toContain("the system");
    expect(rows.slice(2, 4).map((row) => row.lastElementChild?.textContent)).toEqual(["Started freezing the release", "Froze the release Checked → Frozen"]);
    const links = within(screen.getByTestId("audit-rows")).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/b/x/pictures/7", "/b/x/items/9", "/b/x/releases/7", "/b/x/releases/7"]);
  });

  it("keeps its filters in the address, and the file has the same", async () => {
    const server = serve(replies);
    const { router } = await renderScreen(<AuditTrail />, { ...at, at: "/b/x/audit?target_type=image&target_id=7" });
    await screen.findByTestId("audit-rows");
    await userEvent.selectOptions(screen.getByTestId("filter-action"), "image_judge");
    await vi.waitFor(() => expect(router.state.location.search).toBe("?target_type=image&target_id=7&action=image_judge"));
    await vi.waitFor(() => expect(server.asked.at(-1)?.query.toString()).toBe("target_type=image&target_id=7&action=image_judge"));
    expect(screen.getByTestId("audit-csv").getAttribute("href")).toBe("/api/v1/benchmarks/x/audit.csv?target_type=image&target_id=7&action=image_judge");
    await userEvent.selectOptions(screen.getByTestId("filter-target"), "package");
    // A picture's number means nothing among packages.
    await vi.waitFor(() => expect(router.state.location.search).toBe("?target_type=package&action=image_judge"));
    await userEvent.click(screen.getByTestId("filter-none"));
    await vi.waitFor(() => expect(router.state.location.search).toBe(""));
  });
});
