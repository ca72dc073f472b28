import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
// Fetched before the tests: under load it takes longer than they wait.
import "./kit/OpenedMenu";
import { Menu, type MenuEntry } from "./Menu";

const choose = vi.fn<(key: string) => void>();
const ENTRIES: readonly MenuEntry[] = [
  { key: "a", text: "Lanterns", checked: false, onChoose: () => choose("a") },
  { key: "b", text: "Kites", checked: true, onChoose: () => choose("b") },
  { key: "all", text: "All of them", onChoose: () => choose("all") },
  { key: "scores.csv", text: "scores.csv", href: "/scores.csv" },
];
const menu = <Menu label="Benchmark" text="Kites" heading="Yours" entries={ENTRIES} testId="menu" />;
const button = () => screen.getByTestId("menu");

it("opens by a click and lists the entries, the chosen one checked", async () => {
  const user = userEvent.setup();
  await renderScreen(menu);
  expect([button().getAttribute("aria-haspopup"), button().getAttribute("aria-expanded")]).toEqual(["menu", "false"]);
  await user.click(button());
  const list = await screen.findByRole("menu", { name: "Benchmark" });
  expect(list.textContent).toBe("YoursLanternsKitesAll of themscores.csv");
  expect(screen.getAllByRole("menuitemradio").map((one) => one.getAttribute("aria-checked"))).toEqual(["false", "true"]);
  const file = screen.getByRole("menuitem", { name: "scores.csv" });
  expect([file.getAttribute("href"), file.getAttribute("download")]).toEqual(["/scores.csv", "scores.csv"]);
  await user.click(screen.getByText("Lanterns"));
  expect(choose.mock.calls).toEqual([["a"]]);
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
});

it("works by the keyboard alone, keeps its keys to itself and gives the focus back", async () => {
  choose.mockClear();
  const around = vi.fn();
  document.addEventListener("keydown", around);
  const user = userEvent.setup();
  await renderScreen(menu);
  await user.tab();
  await user.keyboard("{ArrowDown}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Lanterns"));
  await user.keyboard("{End}");
  expect(document.activeElement?.textContent).toBe("scores.csv");
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(document.activeElement?.textContent).toBe("Kites");
  around.mockClear();
  await user.keyboard("al");
  expect(document.activeElement?.textContent).toBe("All of them");
  await user.keyboard("{Escape}");
  expect(around).not.toHaveBeenCalled();
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button()));
  await user.keyboard("{Enter}");
  await screen.findByRole("menu");
  await user.keyboard("{ArrowUp}{ArrowUp}{Enter}");
  expect(choose.mock.calls).toEqual([["all"]]);
  document.removeEventListener("keydown", around);
});
