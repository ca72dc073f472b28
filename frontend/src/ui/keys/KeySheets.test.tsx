import { fireEvent, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import type { Action } from "./action";
import { FootBar } from "./FootBar";
import { KeySheets } from "./KeySheets";
import { useActions } from "./useActions";

const accept = vi.fn();
const actions: readonly Action<{ ready: boolean }>[] = [
  { name: "test.accept", label: "ui:retry", keys: ["a"], foot: true, perform: accept },
  { name: "test.later", label: "ui:more", keys: ["m"], foot: true, isEnabled: (c) => c.ready, perform: vi.fn() },
  { name: "test.nameless", label: "ui:close", values: () => ({ subset: "" }), keys: ["Shift+d"], isEnabled: (c) => c.ready, perform: vi.fn() },
];

function Screen() {
  useActions(actions, { ready: false });
  return (
    <>
      <FootBar />
      <KeySheets />
    </>
  );
}

beforeEach(() => void accept.mockClear());

describe("KeySheets", () => {
  it("prints help from the screen's own actions and hides their keys while it is open", async () => {
    const user = userEvent.setup();
    await renderScreen(<Screen />);
    await user.keyboard("?");
    const sheet = within(screen.getByTestId("help-sheet"));
    expect(sheet.getByText("Try again")).toBeTruthy();
    expect(sheet.getByText("Show more").className).toBe("off");
    // What the action is about does not exist here; "Close" is the sheet's own button alone.
    expect(sheet.queryByText("⇧ D")).toBeNull();
    expect(sheet.getAllByText("Close")).toHaveLength(1);
    await user.keyboard("a");
    expect(accept).not.toHaveBeenCalled();
  });

  it("runs a command found by part of its name", async () => {
    const user = userEvent.setup();
    await renderScreen(<Screen />);
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox"), "again");
    expect(screen.getAllByRole("option")).toHaveLength(1);
    await user.keyboard("{Enter}");
    expect(accept).toHaveBeenCalledOnce();
    expect(screen.queryByTestId("palette")).toBeNull();
  });

  it("says so when no command fits", async () => {
    const user = userEvent.setup();
    await renderScreen(<Screen />);
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox"), "zzz");
    expect(screen.queryAllByRole("option")).toEqual([]);
    expect(screen.getByText(/No matching command/)).toBeTruthy();
  });
});

describe("the palette", () => {
  const first = vi.fn();
  const second = vi.fn();
  const third = vi.fn();
  const commands: readonly Action<null>[] = [
    { name: "test.first", label: "ui:retry", keys: ["1"], perform: first },
    { name: "test.second", label: "ui:more", keys: ["2"], perform: second },
    { name: "test.third", label: "ui:close", keys: ["3"], perform: third },
  ];
  function Commands() {
    useActions(commands, null);
    return <KeySheets />;
  }
  /** Opens it; "test.t" lists the third command, "test." all three. */
  async function open(typed = "test.") {
    for (const done of [first, second, third]) done.mockClear();
    const user = userEvent.setup();
    await renderScreen(<Commands />);
    await user.keyboard("{Control>}k{/Control}");
    const field = await screen.findByRole<HTMLInputElement>("combobox");
    await user.type(field, typed);
    return { user, field };
  }
  const highlighted = (field: HTMLElement) => document.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.firstChild?.textContent;

  it("walks the list with the arrows and stops at its ends", async () => {
    const { user, field } = await open();
    expect(highlighted(field)).toBe("Try again");
    await user.keyboard("{ArrowUp}");
    expect(highlighted(field)).toBe("Try again");
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
    expect(highlighted(field)).toBe("Close");
    await user.keyboard("{ArrowUp}{Enter}");
    expect([first, second, third].map((done) => done.mock.calls.length)).toEqual([0, 1, 0]);
  });

  it("starts at the top again when the text changes", async () => {
    const { user, field } = await open();
    await user.keyboard("{ArrowDown}{ArrowDown}t");
    expect(highlighted(field)).toBe("Close");
    await user.keyboard("{Backspace}");
    expect(highlighted(field)).toBe("Try again");
  });

  it("runs the command that is clicked", async () => {
    const { user } = await open();
    await user.click(screen.getByRole("option", { name: /Show more/ }));
    expect(second).toHaveBeenCalledOnce();
    expect(screen.queryByTestId("palette")).toBeNull();
  });

  it("leaves the keys of an input method to it, and filters once the text is composed", async () => {
    const { field } = await open("test.");
    fireEvent.compositionStart(field);
    fireEvent.change(field, { target: { value: "test.s" } });
    fireEvent.keyDown(field, { key: "Enter", keyCode: 229, isComposing: true });
    fireEvent.keyDown(field, { key: "ArrowDown", keyCode: 229, isComposing: true });
    expect(screen.getByTestId("palette")).toBeTruthy();
    fireEvent.compositionEnd(field);
    expect(screen.getAllByRole("option").map((option) => option.firstChild?.textContent)).toEqual(["Show more"]);
    fireEvent.keyDown(field, { key: "Enter", keyCode: 13 });
    expect([first, second, third].map((done) => done.mock.calls.length)).toEqual([0, 1, 0]);
  });
});

describe("FootBar", () => {
  it("shows only what works now", async () => {
    await renderScreen(<Screen />);
    const bar = within(screen.getByRole("contentinfo"));
    expect(bar.getByText("Try again")).toBeTruthy();
    expect(bar.queryByText("Show more")).toBeNull();
  });
});
