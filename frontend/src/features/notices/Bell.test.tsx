import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import "@/ui/kit/OpenedMenu";
import { nameWindow } from "@/ui/title";
import { Bell } from "./Bell";

const benchmark = { slug: "demo", title: { "zh-Hans": "试", "zh-Hant": "試", en: "Trial" } };
const notice = (id: number, changes: object) => ({
  id,
  code: "mentioned",
  params: { item: "cap-000005" },
  benchmark,
  actor: { id: 2, name: "Wang Fang" },
  target_type: "item",
  target_id: 5,
  created_at: "2026-01-01T00:00:00Z",
  read_at: null,
  ...changes,
});

afterEach(() => vi.unstubAllGlobals());

test("the bell counts what is new, in the title too, and a notice opens what it is about as read", async () => {
  const server = serve({
    "GET /api/v1/notices": {
      body: {
        results: [
          notice(9, { actor: null }),
          notice(8, { code: "package_returned", params: { package: "cap-pkg-0001" }, read_at: "2026-01-02T00:00:00Z" }),
        ],
        next: null,
        total: 2,
        total_is_capped: false,
        unread: 1,
      },
    },
    "POST /api/v1/notices/read": { body: { unread: 0 } },
  });
  nameWindow("Home · Lantern");
  const { router, unmount } = await renderScreen(<Bell />);
  await waitFor(() => expect(document.title).toBe("(1) Home · Lantern"));
  const user = userEvent.setup();
  await user.click(screen.getByTestId("bell"));
  expect((await screen.findByTestId("notice-package_returned")).textContent).toContain("cap-pkg-0001 was returned");
  expect(screen.getByTestId("notice-mentioned").textContent).toContain("Unread Someone mentioned you in a comment on cap-000005");
  await user.click(screen.getByTestId("notice-mentioned"));
  expect(router.state.location.pathname).toBe("/b/demo/items/5");
  expect(server.asked.find(({ path }) => path === "/api/v1/notices/read")?.body).toEqual({ ids: [9] });
  unmount();
  expect(document.title).toBe("Home · Lantern");
});
