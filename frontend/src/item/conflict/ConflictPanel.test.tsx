import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { RecordNode, WorkRules } from "@/api/types";
import { captions } from "@/kinds/captions/view";
import type { Content } from "@/kinds/kind";
import { captionsTree, choice, keyed, record, text } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { ConflictPanel } from "./ConflictPanel";

async function open(content: RecordNode, base: Content | null, mine: Content, theirs: Content) {
  const onSubmit = vi.fn();
  const rules = { content } as WorkRules;
  await renderScreen(
    <ConflictPanel versions={{ base, mine, theirs, theirsNo: 2 }} view={captions} rules={rules} onSubmit={onSubmit} onLeave={() => undefined} />,
  );
  return onSubmit;
}
const isChecked = (testId: string) => screen.getByTestId<HTMLInputElement>(testId).checked;

test("only fields that differ are shown, in their language and direction, and one side's change is proposed", async () => {
  const tree = captionsTree(3, text({ lang: "ar", dir: "rtl" }));
  const onSubmit = await open(tree, { captions: ["ا", "ب", "ج"] }, { captions: ["ا", "بب", "ج"] }, { captions: ["ا", "ب", "جج"] });
  expect(screen.queryByTestId("conflict-1-mine")).toBeNull();
  expect([isChecked("conflict-2-mine"), isChecked("conflict-3-theirs")]).toEqual([true, true]);
  const shown = screen.getAllByText("بب").find((element) => element.tagName === "BDI");
  expect([shown?.lang, shown?.dir]).toEqual(["ar", "rtl"]);
  await userEvent.click(screen.getByTestId("conflict-submit"));
  expect(onSubmit).toHaveBeenCalledWith({ captions: ["ا", "بب", "جج"] });
});

test("a field that both changed waits for a choice or a text of one's own", async () => {
  const onSubmit = await open(captionsTree(1), { captions: ["一"] }, { captions: ["二"] }, { captions: ["三"] });
  expect([isChecked("conflict-1-mine"), isChecked("conflict-1-theirs")]).toEqual([false, false]);
  await userEvent.click(screen.getByTestId("conflict-submit"));
  expect(onSubmit).not.toHaveBeenCalled();
  fireEvent.change(screen.getByRole("textbox"), { target: { value: "四" } });
  await userEvent.click(screen.getByTestId("conflict-submit"));
  expect(onSubmit).toHaveBeenCalledWith({ captions: ["四"] });
});

test("of an entry that one side deleted and the other changed, one of the two is chosen", async () => {
  const tree = record({ boxes: keyed({ category: choice() }) });
  const [dog, cat, tree1] = ["dog", "cat", "tree"].map((category, at) => ({ key: `k${at}`, category }));
  const onSubmit = await open(tree, { boxes: [dog, tree1] }, { boxes: [tree1] }, { boxes: [{ ...cat, key: "k0" }, tree1] });
  expect(screen.getByTestId("conflict-1-mine").closest("label")?.textContent).toBe("Mine(no entry)");
  expect(screen.getByTestId("conflict-1-theirs").closest("label")?.textContent).toBe("Theirscat");
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.queryByTestId("conflict-2-mine")).toBeNull();
  await userEvent.click(screen.getByTestId("conflict-1-mine"));
  await userEvent.click(screen.getByTestId("conflict-submit"));
  expect(onSubmit).toHaveBeenCalledWith({ boxes: [tree1] });
});

test("versions that are the same say so", async () => {
  await open(captionsTree(1), null, { captions: ["一"] }, { captions: ["一"] });
  expect(screen.getByText("Both versions are the same.")).toBeTruthy();
});
