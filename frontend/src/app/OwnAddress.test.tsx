import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { ConfirmAddress } from "@/features/session/ConfirmAddress";
import { StopMails } from "@/features/session/StopMails";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { OwnAddress } from "./OwnAddress";

afterEach(() => vi.unstubAllGlobals());

const mailbox = (address: string, pending: string, digest = "off") => ({ body: { available: true, address, pending, digest, zone: "Asia/Shanghai" } });

it("is absent on a site that sends no mail", async () => {
  const server = serve({ "GET /api/v1/session/mail": { body: { ...mailbox("", "").body, available: false } } });
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

it("mails notifications to a confirmed address only, at eight in this browser's zone", async () => {
  let digest = "off";
  let address = "";
  const server = serve({
    "GET /api/v1/session/mail": () => mailbox(address, "", digest),
    "PATCH /api/v1/session/mail": mailbox("li@example.org", "", "daily"),
  });
  const first = await renderScreen(<OwnAddress />, { at: "/account", path: "/account" });
  await screen.findByTestId("address");
  expect(screen.queryByTestId("digest")).toBeNull();
  first.unmount();
  address = "li@example.org";
  await renderScreen(<OwnAddress />, { at: "/account", path: "/account" });
  const choice = await screen.findByTestId<HTMLSelectElement>("digest");
  expect([...choice.options].map((option) => option.text)).toEqual(["None", "Once a day", "At once"]);
  digest = "daily";
  await userEvent.selectOptions(choice, "daily");
  expect(await screen.findByText(/^At 08:00 \(Asia\/Shanghai\)\./)).toBeTruthy();
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  expect(server.asked.filter((one) => one.method === "PATCH").map((one) => one.body)).toEqual([{ digest: "daily", zone }]);
});

it("says of a link that stops nothing what to do instead", async () => {
  serve({ "POST /api/v1/mail/stop": { status: 404, body: { code: "mail_stop_link_unknown", params: {}, detail: "" } } });
  await renderScreen(<StopMails />, { at: "/mail/stop/broken", path: "/mail/stop/:token" });
  await userEvent.click(await screen.findByTestId("stop-mails"));
  expect((await screen.findByTestId("problem")).textContent).toContain("This link does not stop mails");
  expect(screen.queryByTestId("mails-stopped")).toBeNull();
});

it("stops mails by a button", async () => {
  const server = serve({ "POST /api/v1/mail/stop": { body: { stopped: true } } });
  await renderScreen(<StopMails />, { at: "/mail/stop/a:signed:token", path: "/mail/stop/:token" });
  await userEvent.click(await screen.findByTestId("stop-mails"));
  expect((await screen.findByTestId("mails-stopped")).textContent).toBe("Notifications are no longer mailed to you.");
  expect(server.asked.map((one) => one.body)).toEqual([{ token: "a:signed:token" }]);
});
