import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { ConfirmAddress } from "@/features/session/ConfirmAddress";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { OwnAddress } from "./OwnAddress";

afterEach(() => vi.unstubAllGlobals());

const mailbox = (address: string, pending: string) => ({ body: { available: true, address, pending } });

it("is absent on a site that sends no mail", async () => {
  const server = serve({ "GET /api/v1/session/mail": { body: { available: false, address: "", pending: "" } } });
  await renderScreen(<OwnAddress />, { at: "/account", path: "/account" });
  await waitFor(() => expect(server.asked).toHaveLength(1));
  expect(screen.queryByTestId("address")).toBeNull();
});

it("sends a link to an address, and says which one waits for it", async () => {
  let pending = "";
  const server = serve({
    "GET /api/v1/session/mail": () => mailbox("old@example.org", pending),
    "POST /api/v1/session/mail/address": mailbox("old@example.org", "new@example.org"),
  });
  await renderScreen(<OwnAddress />, { at: "/account", path: "/account" });
  expect((await screen.findByTestId("verified-address")).textContent).toBe("old@example.org");
  pending = "new@example.org";
  await userEvent.type(screen.getByTestId("address"), " new@example.org {Enter}");
  expect((await screen.findByTestId("pending-address")).textContent).toContain("new@example.org");
  expect(server.asked.filter((one) => one.method === "POST").map((one) => one.body)).toEqual([{ address: "new@example.org" }]);
  await userEvent.click(screen.getByTestId("send-link-again"));
  expect(server.asked.filter((one) => one.method === "POST").map((one) => one.body)).toEqual([{ address: "new@example.org" }, { address: "new@example.org" }]);
});

it("confirms an address by a button, not by opening the link", async () => {
  const server = serve({ "POST /api/v1/mail/confirm": { body: { username: "li.lei", address: "li@example.org" } } });
  await renderScreen(<ConfirmAddress />, { at: "/mail/confirm#a-secret", path: "/mail/confirm" });
  await screen.findByTestId("confirm-address");
  expect(server.asked).toEqual([]);
  await userEvent.click(screen.getByTestId("confirm-address"));
  expect((await screen.findByTestId("address-confirmed")).textContent).toBe("li@example.org is now the address of li.lei.");
  expect(server.asked.map((one) => one.body)).toEqual([{ token: "a-secret" }]);
});
