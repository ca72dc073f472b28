import { fireEvent, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import type { Action } from "./action";
import { ActionButtons } from "./ActionButtons";
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
    expect(screen.getByText(/Nothing matches/)).toBeTruthy();
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

  it("does by click what the key does, and leaves the focus in the text", async () => {
    const user = userEvent.setup();
    await renderScreen(
      <>
        <textarea data-testid="text" />
        <Screen />
      </>,
    );
    screen.getByTestId("text").focus();
    await user.click(screen.getByTestId("foot-test.accept"));
    expect(accept).toHaveBeenCalledOnce();
    expect(document.activeElement).toBe(screen.getByTestId("text"));
    await user.click(screen.getByTestId("foot-keys.help"));
    expect(screen.getByTestId("help-sheet")).toBeTruthy();
  });

  it("takes the focus while an input method composes, so that the text is complete before it acts", async () => {
    await renderScreen(<Screen />);
    const button = screen.getByTestId("foot-test.accept");
    fireEvent.compositionStart(document.body);
    expect(fireEvent.mouseDown(button)).toBe(true);
    fireEvent.compositionEnd(document.body);
    expect(fireEvent.mouseDown(button)).toBe(false);
  });
});

describe("ActionButtons", () => {
  const toggle = vi.fn();
  const panel: readonly Action<{ isOpen: boolean }>[] = [
    { name: "test.panel", label: "ui:retry", keys: ["Alt+r"], isPressed: (c) => c.isOpen, perform: toggle },
    { name: "test.off", label: "ui:more", keys: ["m"], isEnabled: () => false, perform: vi.fn() },
  ];
  function Tools() {
    const [isOpen, setOpen] = useState(false);
    toggle.mockImplementation(() => setOpen(!isOpen));
    useActions(panel, { isOpen });
    return (
      <>
        <KeySheets />
        <ActionButtons names={["test.off", "test.absent", "test.panel"]} label="Tools" className={undefined} />
      </>
    );
  }

  it("has a button for each action that is bound, off where its key is, and says what is open", async () => {
    const user = userEvent.setup();
    await renderScreen(<Tools />);
    const [off, opens, ...others] = within(screen.getByRole("group", { name: "Tools" })).getAllByRole<HTMLButtonElement>("button");
    expect([off?.textContent, off?.disabled, off?.getAttribute("aria-pressed")]).toEqual(["Show moreM", true, null]);
    expect([opens?.textContent, opens?.disabled, opens?.getAttribute("aria-pressed")]).toEqual(["Try againAlt R", false, "false"]);
    expect(others).toEqual([]);
    await user.click(screen.getByTestId("do-test.panel"));
    expect(opens?.getAttribute("aria-pressed")).toBe("true");
    await user.keyboard("{Alt>}r{/Alt}");
    expect(opens?.getAttribute("aria-pressed")).toBe("false");
    expect(toggle).toHaveBeenCalledTimes(2);
  });
});
