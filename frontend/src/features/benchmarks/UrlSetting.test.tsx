import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { UrlSetting } from "./UrlSetting";

function desk(part: object = {}) {
  const setting = { is_on: false, is_configured: true, most_lines: 500, available_actions: ["url_setting_update"], ...part };
  const server = serve({
    "GET /api/v1/benchmarks/b/url-setting": () => ({ body: setting }),
    "PATCH /api/v1/benchmarks/b/url-setting": ({ body }) => {
      setting.is_on = (body as { is_on: boolean }).is_on;
      return { body: setting };
    },
  });
  return () => server.asked.filter((one) => one.method === "PATCH").map((one) => (one.body as { is_on: boolean }).is_on);
}

const open = () => renderScreen(<UrlSetting slug="b" />, { at: "/b/b/protocol", path: "/b/:slug/protocol" });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("UrlSetting", () => {
  it("is switched on and off", async () => {
    const changes = desk();
    await open();
    const user = userEvent.setup();
    expect((await screen.findByTestId("url-setting")).dataset.on).toBe("false");
    await user.click(screen.getByTestId("url-setting-switch"));
    await waitFor(() => expect(screen.getByTestId("url-setting").dataset.on).toBe("true"));
    await user.click(screen.getByTestId("url-setting-switch"));
    await waitFor(() => expect(screen.getByTestId("url-setting").dataset.on).toBe("false"));
    expect(changes()).toEqual([true, false]);
  });

  it("cannot be switched on before the operator set a contact", async () => {
    desk({ is_configured: false });
    await open();
    expect((await screen.findByTestId<HTMLButtonElement>("url-setting-switch")).disabled).toBe(true);
  });
});
