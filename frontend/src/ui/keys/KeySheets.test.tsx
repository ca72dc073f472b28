import { screen, within } from "@testing-library/react";
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
    await user.keyboard("a");
    expect(accept).not.toHaveBeenCalled();
  });

  it("runs a command found by part of its name", async () => {
    const user = userEvent.setup();
    await renderScreen(<Screen />);
    await user.keyboard("{Control>}k{/Control}");
    await user.type(screen.getByRole("combobox"), "again");
    expect(screen.getAllByRole("option")).toHaveLength(1);
    await user.keyboard("{Enter}");
    expect(accept).toHaveBeenCalledOnce();
    expect(screen.queryByTestId("palette")).toBeNull();
  });

  it("says so when no command fits", async () => {
    const user = userEvent.setup();
    await renderScreen(<Screen />);
    await user.keyboard("{Control>}k{/Control}");
    await user.type(screen.getByRole("combobox"), "zzz");
    expect(screen.queryAllByRole("option")).toEqual([]);
    expect(screen.getByText(/No matching command/)).toBeTruthy();
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
