/** Questions in each of the thirteen scripts that people write in, from the file that the server's tests read as well. */
import { readFileSync } from "node:fs";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { RulesOf } from "@/api/types";
import { choiceTree, text } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { MultipleChoiceCheck } from "./MultipleChoiceCheck";
import { multipleChoice } from "./view";

interface Sides {
  local: string;
  translated: string;
}
const questions = JSON.parse(readFileSync("../tests/data/questions/scripts.json", "utf8")) as { tag: string; question: Sides; options: Sides[] }[];

function rulesIn(tag: string): RulesOf<"multiple_choice"> {
  const local = text({ lang: tag, dir: ["arz-EG", "ur-PK"].includes(tag) ? "rtl" : "ltr" });
  return {
    kind: "multiple_choice",
    content: choiceTree(4, [], local, text({ lang: "en", language: "translation" })),
    options: 4,
    explanation: false,
  drafting: null,
  blind_trials: null,
    concept_in_question: "allowed",
    flags: [],
    human_checks: [],
    review_reasons: [],
    skip_reasons: [],
  };
}

test("there are thirteen, two of them from right to left with a Latin name inside", () => {
  expect(questions).toHaveLength(13);
  const leftward = questions.filter(({ question }) => /\p{Script=Arabic}/u.test(question.local));
  expect(leftward.map(({ tag }) => tag)).toEqual(["arz-EG", "ur-PK"]);
  for (const { question } of leftward) expect(question.local).toMatch(/[A-Za-z]{3}/);
});

test.each(questions)("$tag: each text is written and read in its language and direction, as it was typed", async ({ tag, question, options }) => {
  const rules = rulesIn(tag);
  const content = { category: "", question, options };
  await renderScreen(
    <>
      <multipleChoice.Editor
        itemId={1}
        content={content}
        rules={rules}
        findings={[]}
        reasons={{}}
        field="question.local"
        onField={vi.fn()}
        onChange={vi.fn()}
        onReason={vi.fn()}
      />
      <div data-testid="read">
        <multipleChoice.Reader content={content} rules={rules} />
      </div>
      <MultipleChoiceCheck content={content} rules={rules} seed={7} isRevealed />
    </>,
  );
  const dir = ["arz-EG", "ur-PK"].includes(tag) ? "rtl" : "ltr";
  const locals = [question, ...options].map(({ local }) => local);
  const expected = [question, ...options].flatMap(({ local, translated }) => [
    [tag, dir, local],
    ["en", "ltr", translated],
  ]);
  const fields = screen.getAllByRole<HTMLTextAreaElement>("textbox");
  expect(fields.map((field) => [field.lang, field.dir, field.value])).toEqual(expected);
  const read = (testId: string) =>
    [...screen.getByTestId(testId).querySelectorAll<HTMLElement>(`p[lang="${tag}"]`)].map((text) => [text.dir, text.textContent]);
  expect(read("read")).toEqual(locals.map((local) => [dir, local]));
  expect(read("check").sort()).toEqual(locals.map((local) => [dir, local]).sort());
});
