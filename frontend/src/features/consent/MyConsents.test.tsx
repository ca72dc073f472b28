import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { MyConsents } from "./MyConsents";

const localised = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const benchmark = (slug: string, given: boolean) => ({ slug, title: localised(slug), roles: [], operations: [], kinds: [], consent: { needed: true, given }, teams: [] });
const session = (...benchmarks: unknown[]) => ({ body: { person: { id: 1, username: "me", name: "Me", language: "en" }, is_owner: false, benchmarks, build: "one" } });
const text = (given_at: string | null) => ({
  body: { version: 3, text: localised("Text"), text_sha256: "ab", eligibility: [], donors: null, given_at, needed: given_at === null },
});

afterEach(() => vi.unstubAllGlobals());

describe("MyConsents", () => {
  it("takes consent back only after the benchmark's short name was typed", async () => {
    const server = serve({
      "GET /api/v1/session": session(benchmark("lanterns", true)),
      "GET /api/v1/benchmarks/lanterns/consent": text("2026-11-20T08:00:00Z"),
      "POST /api/v1/benchmarks/lanterns/consent/withdraw": text(null),
    });
    await renderScreen(<MyConsents />);
    expect(await screen.findByText(/Version 3/)).toBeTruthy();
    await userEvent.click(screen.getByTestId("withdraw-lanterns"));
    const confirm = screen.getByTestId<HTMLButtonElement>("withdraw-confirm");
    await userEvent.type(screen.getByTestId("withdraw-typed"), "lantern");
    expect(confirm.disabled).toBe(true);
    await userEvent.type(screen.getByTestId("withdraw-typed"), "s");
    await userEvent.click(confirm);
    await vi.waitFor(() => expect(server.asked.filter((one) => one.method === "POST").map((one) => one.path)).toEqual(["/api/v1/benchmarks/lanterns/consent/withdraw"]));
  });

  it("leads to the text where consent is missing, and offers nothing to withdraw to who never gave it", async () => {
    serve({ "GET /api/v1/session": session(benchmark("a", false), benchmark("b", true)), "GET /api/v1/benchmarks/b/consent": text(null) });
    await renderScreen(<MyConsents />);
    expect((await screen.findByText("Read")).closest("a")?.getAttribute("href")).toBe("/b/a/consent");
    await vi.waitFor(() => expect(screen.queryByTestId("consent-b")).toBeNull());
    expect(screen.queryByTestId("withdraw-a")).toBeNull();
  });
});
