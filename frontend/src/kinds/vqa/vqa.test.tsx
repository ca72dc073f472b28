import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import type { Finding, RulesOf } from "@/api/types";
import { vqaTree } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import type { Content } from "../kind";
import { vqa } from "./view";

const rules: RulesOf<"vqa"> = {
  kind: "vqa",
  content: vqaTree(2),
  slots: 2,
  question_minimum_characters: 4,
  answer_maximum_characters: 12,
  overlap: { measure: "bigram_jaccard", limit_percent: 50 },
  flags: ["pronoun", "low_level"],
  other_script_percent: null,
  human_checks: [
    { code: "one_answer", name: { "zh-Hans": "只有一个答案", "zh-Hant": "只有一個答案", en: "Only one answer" } },
  ],
  review_reasons: [],
  skip_reasons: [],
};
const written: Content = {
  pairs: [
    { question: "有几根担杖?", answer: "2" },
    { question: "", answer: "坐着" },
  ],
};

function Desk({ findings, onReason }: { findings: Finding[]; onReason: (code: string, reason: string) => void }) {
  const [content, setContent] = useState(written);
  const [field, setField] = useState("pairs.1.question");
  return (
    <vqa.Editor
      itemId={1}
      content={content}
      rules={rules}
      findings={findings}
      reasons={{}}
      field={field}
      onField={setField}
      onChange={setContent}
      onReason={onReason}
    />
  );
}

const tooLong: Finding = {
  code: "answer_too_long",
  field: "pairs.0.answer",
  severity: "error",
  overridable: true,
  params: { count: 13, maximum: 12 },
  spans: [],
};

test("questions and answers are typed where the focus is, and a long answer asks for its reason", async () => {
  const onReason = vi.fn();
  const empty: Finding = { ...tooLong, code: "question_empty", field: "pairs.1.question", overridable: false };
  await renderScreen(<Desk findings={[tooLong, empty]} onReason={onReason} />);
  const question = screen.getByTestId("question-2");
  expect(document.activeElement).toBe(question);
  await userEvent.type(question, "谁？");
  expect(screen.getByTestId("question-2-count").textContent).toBe("1");
  expect(screen.getByTestId("finding-answer_too_long").textContent).toBe("13 characters; at most 12 allowed");
  expect(screen.getByTestId("answer-1").getAttribute("aria-invalid")).toBe("true");
  await userEvent.type(screen.getByTestId("reason-answer_too_long"), "名");
  expect(onReason).toHaveBeenCalledWith("answer_too_long", "名");
});

test("read back, each answer follows its question with what was found and why it stayed", async () => {
  await renderScreen(
    <vqa.Reader content={written} rules={rules} findings={[tooLong]} reasons={{ answer_too_long: "全名" }} />,
  );
  expect(screen.getAllByRole("term").map((term) => term.textContent)).toEqual(["Q", "A", "Q", "A"]);
  expect(screen.getByTestId("kept-answer_too_long").textContent).toContain("全名");
});

test("rules say their numbers and what is pointed out", async () => {
  await renderScreen(
    <>
      <vqa.RuleChips rules={rules} content={written} findings={[]} isChecked />
      <vqa.Guide rules={rules} />
    </>,
  );
  expect(screen.getByText("Answer ≤ 12 characters")).toBeTruthy();
  expect(screen.getByText("Questions only about a colour")).toBeTruthy();
  expect(screen.getByText("Only one answer")).toBeTruthy();
  expect(screen.queryByText("Questions for yes or no")).toBeNull();
});
