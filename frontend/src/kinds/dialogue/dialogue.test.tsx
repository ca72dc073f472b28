import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import type { Finding, RulesOf } from "@/api/types";
import { list, record, text } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { BaseContext } from "../base";
import type { Content } from "../kind";
import { dialogue } from "./view";

const rules: RulesOf<"dialogue"> = {
  kind: "dialogue",
  content: record({ rounds: list(2, record({ question: text(), answer: text({ answer: true }) })) }),
  rounds: 2,
  away_minutes: 10,
  paused_maximum: 3,
  other_script_percent: null,
  human_checks: [{ code: "concrete", name: { "zh-Hans": "具体", "zh-Hant": "具體", en: "Concrete" } }],
  review_reasons: [],
  skip_reasons: [],
};
const written: Content = {
  rounds: [
    { question: "左边有什么？", answer: "左边有一只熊猫。" },
    { question: "它在做什么？", answer: "吃竹子" },
  ],
};
const fragment: Finding = {
  code: "answer_fragment",
  field: "rounds.1.answer",
  severity: "warn",
  overridable: false,
  params: {},
  spans: [],
};

function Desk() {
  const [content, setContent] = useState(written);
  const [field, setField] = useState("rounds.1.answer");
  return (
    <dialogue.Editor
      itemId={1}
      content={content}
      rules={rules}
      findings={[fragment]}
      reasons={{}}
      field={field}
      onField={setField}
      onChange={setContent}
      onReason={vi.fn()}
    />
  );
}

test("a correction is typed where the focus is, with what was pointed out below", async () => {
  await renderScreen(<Desk />);
  expect(document.activeElement).toBe(screen.getByTestId("answer-2"));
  await userEvent.type(screen.getByTestId("answer-2"), "。");
  expect(screen.getByTestId("finding-answer_fragment").textContent).toContain("fragment");
});

test("read back it is a transcript", async () => {
  await renderScreen(<dialogue.Reader content={written} rules={rules} findings={[fragment]} />);
  expect(screen.getAllByRole("term").map((term) => term.textContent)).toEqual([
    "Question 1",
    "Answer 1",
    "Question 2",
    "Answer 2",
  ]);
});

test("rules say how many rounds and what people judge", async () => {
  await renderScreen(
    <>
      <dialogue.RuleChips rules={rules} content={written} findings={[]} isChecked />
      <dialogue.Guide rules={rules} />
    </>,
  );
  expect(screen.getByText("✓ Full sentences")).toBeTruthy();
  expect(screen.getByText("2 rounds, each a question and its answer")).toBeTruthy();
  expect(screen.getByText("Concrete")).toBeTruthy();
});

test("who decides reads the caption that the questioner had, above the transcript", async () => {
  const base = { kind: "captions", content: {}, text: "两只熊猫在吃竹子", current: true };
  await renderScreen(
    <BaseContext value={base}>
      <dialogue.Reader content={written} rules={rules} />
    </BaseContext>,
  );
  expect(screen.getByTestId("dialogue-caption").textContent).toBe("The caption that was known: 两只熊猫在吃竹子");
});
