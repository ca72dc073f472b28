import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, test, vi } from "vitest";
import type { Finding, RulesOf } from "@/api/types";
import { renderScreen } from "@/testing/render";
import type { Content } from "../kind";
import { fieldOf, firstEmptyField, fromTexts, textAt, textsOf, withText } from "./content";
import { vqa } from "./view";

const text = {
  type: "text",
  language: "content",
  lang: "zh-Hans",
  dir: "ltr",
  lines: 1,
  latex: false,
  answer: false,
} as const;
const rules: RulesOf<"vqa"> = {
  kind: "vqa",
  content: {
    type: "record",
    fields: {
      pairs: {
        type: "slots",
        count: 2,
        of: {
          type: "record",
          fields: { question: text, answer: { ...text, answer: true } },
          answer: false,
        },
        answer: false,
      },
    },
    answer: false,
  },
  slots: 2,
  question_minimum_characters: 4,
  answer_maximum_characters: 12,
  overlap: { measure: "bigram_jaccard", limit_percent: 50 },
  flags: ["pronoun", "low_level"],
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

describe("the fields of pairs", () => {
  test("are walked question, answer, question, answer", () => {
    expect(textsOf(written)).toEqual(["有几根担杖?", "2", "", "坐着"]);
    expect(fromTexts(textsOf(written))).toEqual(written);
    expect(["pairs.0.question", "pairs.1.answer", "pairs", "captions.1"].map(fieldOf)).toEqual([0, 3, null, null]);
    expect(textAt(written, "pairs.1.answer")).toBe("坐着");
    expect(textAt(written, "pairs")).toBeNull();
  });

  test("begin empty and tell the first that still is", () => {
    expect(firstEmptyField(vqa.empty(rules))).toBe(0);
    expect(vqa.fields(vqa.empty(rules))).toBe(4);
    expect(firstEmptyField(written)).toBe(2);
    expect(firstEmptyField(withText(written, 1, "question", "谁坐着？"))).toBeNull();
  });

  test("keep their marks while another is edited", () => {
    const pronoun: Finding = {
      code: "pronoun",
      field: "pairs.1.answer",
      severity: "warn",
      overridable: false,
      params: { text: "着" },
      spans: [{ field: "pairs.1.answer", start: 1, end: 2 }],
    };
    expect(vqa.carry([pronoun], written, withText(written, 1, "answer", "安坐着"))[0]?.spans).toEqual([
      { field: "pairs.1.answer", start: 2, end: 3 },
    ]);
  });
});

function Desk({ findings, onReason }: { findings: Finding[]; onReason: (code: string, reason: string) => void }) {
  const [content, setContent] = useState(written);
  const [field, setField] = useState(2);
  return (
    <vqa.Editor
      itemId={1}
      content={content}
      lang="zh-Hans"
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
    <vqa.Reader content={written} lang="zh-Hans" findings={[tooLong]} reasons={{ answer_too_long: "全名" }} />,
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
