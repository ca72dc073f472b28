import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { renderScreen } from "@/testing/render";
import { CommonNumbers } from "./CommonNumbers";

const TEXT = "tracks:\n  package:\n    size: 100  # ours\nrelease:\n  splits: {train: 60, valid: 10, test: 30}\n";

function Editor({ start }: { start: string }) {
  const [text, setText] = useState(start);
  return (
    <>
      <CommonNumbers text={text} onChange={setText} />
      <pre data-testid="text">{text}</pre>
    </>
  );
}

it("writes numbers and hidden names into the text, and leaves the rest of it", async () => {
  await renderScreen(<Editor start={TEXT} />);
  const user = userEvent.setup();
  await user.click(screen.getByText("Common numbers"));
  expect(screen.getAllByRole("textbox").map((field) => (field as HTMLInputElement).value)).toEqual(["100", "60", "10", "30"]);
  const size = screen.getByLabelText("Items per package");
  await user.clear(size);
  expect(screen.getByTestId("text").textContent).toBe(TEXT); // nothing was typed yet
  await user.type(size, "5a0");
  await user.click(screen.getByTestId("blind-package"));
  expect(screen.getByTestId("text").textContent).toBe(TEXT.replace("size: 100  # ours\n", "size: 50  # ours\n    blind: true\n"));
  expect(screen.queryByTestId("blind-peer")).toBeNull();
});

it("is not there where the text has none of them", async () => {
  await renderScreen(<Editor start="meta: {}" />);
  expect(screen.queryByTestId("common-numbers")).toBeNull();
});
