import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { PickOne, type Option } from "./PickOne";

const OPTIONS: readonly Option[] = [
  { value: "lantern", label: "花灯", group: "节日", also: "花燈 Lantern" },
  { value: "kite", label: "风筝", group: "节日", also: "風箏 Kite" },
  { value: "tea", label: "茶", group: "饮食", also: "Tea" },
];

function Field({ onChange, ...rest }: { onChange?: (value: string | null) => void } & Partial<Parameters<typeof PickOne>[0]>) {
  const [value, setValue] = useState<string | null>(null);
  return (
    <PickOne
      label="Category"
      options={OPTIONS}
      value={value}
      onChange={(next) => {
        onChange?.(next);
        setValue(next);
      }}
      {...rest}
    />
  );
}

const field = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Category" });
const listed = () => screen.queryAllByRole("option").map((option) => option.textContent);

it("lists every option under its heading", async () => {
  await renderScreen(<Field />);
  await userEvent.click(field());
  expect(listed()).toEqual(["花灯", "风筝", "茶"]);
  expect(screen.getAllByRole("group", { name: /./ }).map((group) => group.textContent)).toEqual(["节日花灯风筝", "饮食茶"]);
});

it("finds an option by its name in another language", async () => {
  const onChange = vi.fn();
  const user = userEvent.setup();
  await renderScreen(<Field onChange={onChange} />);
  await user.click(field());
  await user.keyboard(" KIT");
  expect(listed()).toEqual(["风筝"]);
  await user.keyboard("{Enter}");
  expect(onChange.mock.calls).toEqual([["kite"]]);
  expect(field().value).toBe("风筝");
  await waitFor(() => expect(listed()).toEqual([]));
});

it("says so when nothing matches, and shows the choice again after Escape", async () => {
  const user = userEvent.setup();
  await renderScreen(<Field value="tea" />);
  await user.click(field());
  expect(listed()).toEqual(["花灯", "风筝", "茶"]);
  await user.keyboard("xyz");
  expect(listed()).toEqual([]);
  expect(screen.getByText("No matches")).toBeTruthy();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(field().value).toBe("茶"));
});

it("keeps Escape to itself while the list is open, and never clears by it", async () => {
  const onChange = vi.fn();
  const around = vi.fn<(key: string) => void>();
  const user = userEvent.setup();
  await renderScreen(
    <div onKeyDown={({ key }) => around(key)}>
      <Field value="tea" onChange={onChange} />
    </div>,
  );
  await user.click(field());
  await user.keyboard("{Escape}");
  expect(around).not.toHaveBeenCalled();
  await waitFor(() => expect(listed()).toEqual([]));
  await user.keyboard("{Escape}");
  expect(around.mock.calls).toEqual([["Escape"]]);
  expect(onChange).not.toHaveBeenCalled();
  expect(field().value).toBe("茶");
});

it("opens on Enter instead of submitting the form", async () => {
  const onSubmit = vi.fn((event: { preventDefault(): void }) => event.preventDefault());
  const user = userEvent.setup();
  await renderScreen(
    <form onSubmit={onSubmit}>
      <Field />
    </form>,
  );
  await user.tab();
  await user.keyboard("{Enter}");
  expect(listed()).toEqual(["花灯", "风筝", "茶"]);
  await user.keyboard("{Enter}");
  expect(field().value).toBe("花灯");
  await waitFor(() => expect(listed()).toEqual([]));
  await user.keyboard("{Enter}");
  expect(onSubmit).not.toHaveBeenCalled();
});

it("clears by its button", async () => {
  const onChange = vi.fn();
  const user = userEvent.setup();
  await renderScreen(<Field onChange={onChange} />);
  expect(screen.queryByRole("button", { name: "Clear: Category" })).toBeNull();
  await user.click(field());
  await user.click(screen.getByRole("option", { name: "茶" }));
  await user.click(screen.getByRole("button", { name: "Clear: Category" }));
  expect(onChange.mock.calls).toEqual([["tea"], [null]]);
  expect(field().value).toBe("");
});

it("collects several choices where the field stays empty", async () => {
  const onChange = vi.fn();
  const user = userEvent.setup();
  await renderScreen(<Field value={null} onChange={onChange} />);
  for (const name of ["茶", "花灯"]) {
    await user.click(field());
    await user.click(await screen.findByRole("option", { name }));
    await waitFor(() => expect(field().value).toBe(""));
  }
  expect(onChange.mock.calls).toEqual([["tea"], ["lantern"]]);
});

it("asks the server for what is typed, lists its answer, and keeps the name of a choice that is no longer listed", async () => {
  const onSearch = vi.fn();
  const user = userEvent.setup();
  function People() {
    const [words, setWords] = useState("");
    onSearch(words);
    return <Field options={words === "" ? [{ value: "1", label: "Li Lei" }] : [{ value: "2", label: "Han Meimei" }]} onSearch={setWords} />;
  }
  await renderScreen(<People />);
  await user.click(field());
  await user.keyboard("h");
  expect(onSearch).toHaveBeenLastCalledWith("h");
  expect(listed()).toEqual(["Han Meimei"]);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(listed()).toEqual([]));
  expect(onSearch).toHaveBeenLastCalledWith("");
  expect(field().value).toBe("Han Meimei");
});

it("is marked and described where its value is wrong", async () => {
  await renderScreen(<Field hint="Any" wrong="Choose one" />);
  expect(field().getAttribute("aria-invalid")).toBe("true");
  const note = document.getElementById(field().getAttribute("aria-describedby") ?? "");
  expect(note?.textContent).toBe("Choose one");
});
