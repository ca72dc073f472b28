// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, it } from "vitest";
import { renderScreen } from "@/testing/render";
import { FootBar } from "./FootBar";
import { KeySheets } from "./KeySheets";
import { useActions } from "./useActions";
import type { Action } from "./action";

const actions: readonly Action<object>[] = [{ name: "page.save", label: "ui:close", keys: ["s"], foot: true, perform: () => undefined }];

function Page() {
  useActions(actions, {});
  return (
    <>
      <FootBar />
      <KeySheets />
    </>
  );
}

it("keeps the list of keys and the commands on a telephone, where it shows no other key", async () => {
  await renderScreen(<Page />);
  const isKept = (name: string) => screen.getByTestId(`foot-${name}`).closest("li")?.hasAttribute("data-touch");
  expect([isKept("keys.help"), isKept("keys.palette"), isKept("page.save")]).toEqual([true, true, false]);
  await userEvent.click(screen.getByTestId("foot-keys.help"));
  expect(await screen.findByTestId("help-sheet")).toBeTruthy();
});
