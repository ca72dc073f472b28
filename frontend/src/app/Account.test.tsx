import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { useSession } from "@/api/session";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Account } from "./Account";

afterEach(() => vi.unstubAllGlobals());

const session = (name: string) => ({
  body: { person: { id: 1, username: "li.lei", name, language: "en" }, is_owner: false, benchmarks: [], build: "one" },
});

/** As behind the sign-in gate: drawn once the session is known. */
function Behind() {
  return useSession().data ? <Account /> : null;
}

it("lets people change the name that colleagues see, and asks for none that is empty or as it was", async () => {
  const server = serve({
    "GET /api/v1/session": session("李雷"),
    "PATCH /api/v1/session": session("吴𠮷"),
    "GET /api/v1/tokens": { body: [] },
  });
  await renderScreen(<Behind />, { at: "/account", path: "/account" });
  const name = await screen.findByTestId<HTMLInputElement>("account-name");
  const save = screen.getByTestId<HTMLButtonElement>("save-name");
  expect([name.value, save.disabled]).toEqual(["李雷", true]);
  await userEvent.clear(name);
  expect(save.disabled).toBe(true);
  await userEvent.type(name, " 吴𠮷 {Enter}");
  expect(await screen.findByDisplayValue("吴𠮷")).toBe(name);
  expect(save.disabled).toBe(true);
  expect(server.asked.filter((one) => one.method === "PATCH").map((one) => one.body)).toEqual([{ name: "吴𠮷" }]);
});

async function fillIn(current: string, next: string) {
  await userEvent.type(screen.getByTestId("current-password"), current);
  await userEvent.type(screen.getByTestId("new-password"), next);
  await userEvent.click(screen.getByTestId("change-password"));
}

it("changes the password with the current one, and the tokens on request", async () => {
  const server = serve({
    "GET /api/v1/session": session("李雷"),
    "GET /api/v1/tokens": { body: [] },
    "POST /api/v1/session/password": { body: { tokens_revoked: 2 } },
  });
  await renderScreen(<Behind />, { at: "/account", path: "/account" });
  await screen.findByTestId("own-password");
  await userEvent.click(screen.getByTestId("change-password"));
  expect(server.asked.filter((one) => one.method === "POST")).toEqual([]);
  await userEvent.click(screen.getByTestId("revoke-tokens"));
  await fillIn("old-password", "four quiet words here");
  await waitFor(() => expect(screen.getByTestId<HTMLInputElement>("current-password").value).toBe(""));
  expect(server.asked.filter((one) => one.method === "POST").map((one) => one.body)).toEqual([
    { current_password: "old-password", new_password: "four quiet words here", revoke_tokens: true },
  ]);
  expect(screen.getByTestId<HTMLInputElement>("revoke-tokens").checked).toBe(false);
});

it("says that the current password is wrong, and keeps what was typed", async () => {
  serve({
    "GET /api/v1/session": session("李雷"),
    "GET /api/v1/tokens": { body: [] },
    "POST /api/v1/session/password": { status: 422, body: { code: "password_wrong", detail: "", params: {} } },
  });
  await renderScreen(<Behind />, { at: "/account", path: "/account" });
  await screen.findByTestId("own-password");
  await fillIn("a-guess", "four quiet words here");
  expect((await screen.findByTestId("problem")).textContent).toBe("The current password is wrong. Nothing was changed.");
  expect(screen.getByTestId<HTMLInputElement>("new-password").value).toBe("four quiet words here");
});
