import { fireEvent, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { KeySheets } from "@/ui/keys";
import { CommentForm } from "./CommentForm";

const people = [
  { id: 1, label: "Wang Fang" },
  { id: 2, label: "Wen Li" },
  { id: 3, label: "Weng Yi" },
];
let item = 0;

async function open() {
  const onSend = vi.fn();
  const onLeave = vi.fn();
  item += 1;
  await renderScreen(
    <>
      <CommentForm itemId={item} people={people} focus onSend={onSend} onLeave={onLeave} />
      <KeySheets />
    </>,
  );
  const field = screen.getByTestId<HTMLTextAreaElement>("comment-text");
  return { user: userEvent.setup(), field, onSend, onLeave };
}

const listed = () => screen.queryAllByRole("option").map((option) => option.textContent);
const highlighted = (field: HTMLElement) => document.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.textContent;

it("lists the names that match, and Enter, Tab or a click writes one at the cursor", async () => {
  const { user, field, onSend } = await open();
  await user.keyboard("@we");
  expect(listed()).toEqual(["Wen Li", "Weng Yi"]);
  expect(field.getAttribute("aria-expanded")).toBe("true");
  await user.keyboard("{Enter}");
  expect(field.value).toBe("@Wen Li ");
  expect(listed()).toEqual([]);
  await user.keyboard("and @wang{Tab}and @weng");
  await user.click(screen.getByRole("option", { name: "Weng Yi" }));
  expect(field.value).toBe("@Wen Li and @Wang Fang and @Weng Yi ");
  expect(document.activeElement).toBe(field);
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect(onSend.mock.calls).toEqual([["@Wen Li and @Wang Fang and @Weng Yi", [2, 1, 3]]]);
  expect(field.value).toBe("");
});

it("says of a name that is typed whole and is nobody's here that no one is notified, and who can be mentioned", async () => {
  const { user, field, onSend } = await open();
  await user.keyboard("@wang fang, and ");
  expect(screen.queryByTestId("mention-unknown")).toBeNull();
  await user.keyboard("@rev");
  expect(screen.getByTestId("mention-unknown").textContent).toBe(
    "No one called “rev” can be mentioned here, so no one is notified. You can mention Wang Fang, Wen Li, and Weng Yi.",
  );
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect(onSend.mock.calls).toEqual([["@wang fang, and @rev", [1]]]);
  expect(field.value).toBe("");
});

it("walks the names with the arrows, round its ends", async () => {
  const { user, field } = await open();
  await user.keyboard("@w");
  const seen = [highlighted(field)];
  for (const key of ["{ArrowDown}", "{ArrowDown}", "{ArrowDown}", "{ArrowUp}"]) {
    await user.keyboard(key);
    seen.push(highlighted(field));
  }
  expect(seen).toEqual(["Wang Fang", "Wen Li", "Weng Yi", "Wang Fang", "Weng Yi"]);
});

it("closes the list by Escape, and by the next Escape the comment is left", async () => {
  const { user, field, onLeave } = await open();
  await user.keyboard("@w{Escape}");
  expect(listed()).toEqual([]);
  expect([field.value, onLeave.mock.calls.length]).toEqual(["@w", 0]);
  await user.keyboard("a{Enter}");
  expect([field.value, listed()]).toEqual(["@wa\n", []]);
  await user.keyboard("{Escape}");
  expect(onLeave).toHaveBeenCalledOnce();
});

it("is a plain text where no name is being typed: its keys move and break lines", async () => {
  const { user, field } = await open();
  await user.keyboard("one{Enter}two{Home}x{End}y{ArrowUp}");
  expect(field.value.split("\n")).toHaveLength(2);
  expect(field.getAttribute("role")).toBeNull();
});

it("leaves the keys of an input method to it", async () => {
  const { user, field } = await open();
  await user.keyboard("@w");
  fireEvent.compositionStart(field);
  for (const key of ["ArrowDown", "Enter", "Escape", "Tab"]) fireEvent.keyDown(field, { key, keyCode: 229, isComposing: true });
  expect([field.value, listed().length, highlighted(field)]).toEqual(["@w", 3, "Wang Fang"]);
  fireEvent.change(field, { target: { value: "@wen" } });
  fireEvent.compositionEnd(field);
  expect(listed()).toEqual(["Wen Li", "Weng Yi"]);
  await user.keyboard("{Enter}");
  expect(field.value).toBe("@Wen Li ");
});
