import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { RecordNode, WorkRules } from "@/api/types";
import { captions } from "@/kinds/captions/view";
import type { Content } from "@/kinds/kind";
import { kindView } from "@/kinds/registry";
import { captionsTree, choice, choiceTree, keyed, record, text, vqaTree } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { ConflictPanel } from "./ConflictPanel";

test.each([
  ["captions", captionsTree(2), { captions: ["一", "二"] }, { captions: ["一", "三"] }, ["Sentence 2"]],
  ["vqa", vqaTree(2), { pairs: [] }, { pairs: [{ question: "?", answer: "" }, { question: "", answer: "a" }] }, ["Question 1", "Answer 2"]],
  [
    "multiple_choice",
    choiceTree(3, [], text({ lang: "ar", dir: "rtl" }), text({ lang: "en", language: "translation" })),
    { question: {}, options: [] },
    { category: "food", question: { local: "؟" }, options: [{ translated: "Tea" }, {}, { local: "شاي" }] },
    ["Category", "Question, Arabic", "Correct option, English", "Distractor 2, Arabic"],
  ],
])("fields are called by the names that they have on the desk (%s)", async (kind, tree, mine, theirs, names) => {
  const view = kindView(kind);
  if (!view) throw new Error(kind);
  const rules = { kind, content: tree } as unknown as WorkRules;
  await renderScreen(<ConflictPanel versions={{ base: mine, mine, theirs, theirsNo: 2 }} view={view} rules={rules} onSubmit={vi.fn()} onLeave={vi.fn()} />);
  expect(screen.getAllByRole("group").map((group) => group.querySelector("legend")?.textContent)).toEqual(names);
});

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
