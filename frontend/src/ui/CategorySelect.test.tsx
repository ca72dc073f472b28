import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { CategorySelect } from "./CategorySelect";

const names = (zh: string, en: string) => ({ "zh-Hans": zh, "zh-Hant": zh, en });
const field = { name: names("动作", "Action") };
const CATEGORIES = [
  { slug: "lion_dance", name: names("舞狮", "lion dance"), field, search: ["舞狮", "lion dance", "wushi", "ws"] },
  { slug: "kung_fu", name: names("功夫", "kung fu"), field, search: ["功夫", "kung fu", "gongfu", "gf"] },
];

it("finds a category by its pinyin or the initials", async () => {
  const onChange = vi.fn();
  const user = userEvent.setup();
  await renderScreen(<CategorySelect label="Category" categories={CATEGORIES} value={undefined} onChange={onChange} testId="category" />);
  await user.click(screen.getByRole("combobox", { name: "Category" }));
  await user.keyboard("ush");
  expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual(["lion dance"]);
  await user.keyboard("{Backspace}{Backspace}{Backspace}gf{Enter}");
  expect(onChange.mock.lastCall).toEqual(["kung_fu"]);
});
