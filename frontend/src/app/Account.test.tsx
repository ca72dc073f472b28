import { screen } from "@testing-library/react";
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
