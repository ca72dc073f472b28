import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Finding, RulesOf } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { choiceTree, text } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import type { CheckProps } from "../kind";
import { MultipleChoiceCheck } from "./MultipleChoiceCheck";

afterEach(cleanup);

const rules = {
  kind: "multiple_choice",
  content: choiceTree(4, [], text({ lang: "arz-EG", dir: "rtl" }), text({ lang: "en", language: "translation" })),
  options: 4,
  explanation: false,
  flags: [],
  human_checks: [],
  review_reasons: [],
  skip_reasons: [],
} as unknown as RulesOf<"multiple_choice">;
const both = (local: string, translated: string) => ({ local, translated });
const content = {
  category: "",
  question: both("ما اسم هذا القارب؟", "What is this boat called?"),
  options: [both("فلوكة", "Felucca"), both("جندول", "Gondola"), both("كاياك", "Kayak"), both("زورق", "Steamboat")],
};
const long: Finding = { code: "right_longest", field: "options.0.translated", severity: "warn", overridable: false, params: {}, spans: [] };

async function open(changes: Partial<CheckProps> = {}) {
  await renderScreen(<MultipleChoiceCheck content={content} rules={rules} findings={[long]} seed={5} isRevealed={false} {...changes} />);
  return within(screen.getByRole("list")).getAllByRole("listitem");
}
const english = (options: HTMLElement[]) => options.map((option) => option.querySelector("[lang=en]")?.textContent);

it("asks the question in both languages, each in its direction, and tells nothing of the answer", async () => {
  const options = await open();
  const local = screen.getByText("ما اسم هذا القارب؟");
  expect([local.closest("p")?.lang, local.closest("p")?.dir]).toEqual(["arz-EG", "rtl"]);
  expect(english(options).sort()).toEqual(["Felucca", "Gondola", "Kayak", "Steamboat"]);
  expect(screen.queryByTestId("right-option")).toBeNull();
  // A finding about one option would point to it.
  expect(screen.getByTestId("check").textContent).not.toContain("longer");
  expect(options.every((option) => !option.hasAttribute("data-right"))).toBe(true);
  expect(await axeFaults()).toEqual([]);
});

it("marks the right option once it is shown, in the same order", async () => {
  const before = english(await open());
  cleanup();
  expect(english(await open({ isRevealed: true }))).toEqual(before);
  expect(screen.getByTestId("right-option").textContent).toContain("Felucca");
  expect(screen.getByTestId("right-option").textContent).toContain("Correct option");
  expect(screen.getByTestId("check").textContent).toContain("longer");
});

it("orders the options of another item otherwise", async () => {
  const orders = new Set<string>();
  for (const seed of [1, 2, 3, 4, 5]) {
    orders.add(english(await open({ seed })).join());
    cleanup();
  }
  expect(orders.size).toBeGreaterThan(1);
});
