import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Tokens } from "./Tokens";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const token = { id: 4, name: "nightly", prefix: "abcd1234", benchmark: "x", operations: ["image_list"], created_at: "2026-11-20T08:00:00Z", expires_at: "2999-11-20T08:00:00Z", revoked_at: null, last_used_at: null };
const replies = {
  "GET /api/v1/session": {
    body: {
      person: { id: 1, username: "me", name: "Me", language: "en" },
      is_owner: false,
      benchmarks: [{ slug: "x", title: localised("X"), roles: [], operations: ["image_list", "image_show", "item_submit", "role_grant"], kinds: [], consent: { needed: false, given: false }, teams: [] }],
      build: "one",
    },
  },
  "GET /api/v1/tokens": { body: [token, { ...token, id: 5, name: "old", revoked_at: "2026-11-20T09:00:00Z" }] },
};

afterEach(() => vi.unstubAllGlobals());

describe("Tokens", () => {
  it("makes one with the chosen scopes and shows its secret", async () => {
    const server = serve({ ...replies, "POST /api/v1/tokens": { status: 201, body: { ...token, token: "abcd1234.s3cret" } } });
    await renderScreen(<Tokens />);
    await userEvent.click(await screen.findByTestId("new-token"));
    // Nothing in releases is open to this person, so no token can have it.
    expect(screen.getByTestId<HTMLInputElement>("scope-releases-read").disabled).toBe(true);
    await userEvent.type(screen.getByTestId("token-name"), "nightly");
    await userEvent.click(screen.getByTestId("make-token"));
    expect(screen.getByText("Choose at least one")).toBeTruthy();
    await userEvent.click(screen.getByTestId("scope-images-read"));
    await userEvent.click(screen.getByTestId("make-token"));
    expect((await screen.findByTestId<HTMLInputElement>("token-value")).value).toBe("abcd1234.s3cret");
    expect(server.asked.find((one) => one.method === "POST")?.body).toMatchObject({ name: "nightly", benchmark: "x", operations: ["image_list", "image_show"], days: 90 });
  });

  it("revokes after asking once more, and offers it only for what still works", async () => {
    const server = serve({ ...replies, "POST /api/v1/tokens/4/revoke": { body: token } });
    await renderScreen(<Tokens />);
    await userEvent.click(await screen.findByTestId("revoke-token-4"));
    expect(screen.queryByTestId("revoke-token-5")).toBeNull();
    expect(server.asked.some((one) => one.method === "POST")).toBe(false);
    await userEvent.click(screen.getByTestId("revoke-token-4-confirm"));
    await vi.waitFor(() => expect(server.asked.some((one) => one.path === "/api/v1/tokens/4/revoke")).toBe(true));
  });
});
