import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import type { Finding, RulesOf, TextNode } from "@/api/types";
import { useKeyListener } from "@/ui/keys/useActions";
import { choiceTree, text } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import type { Content } from "../kind";
import { rulesIn } from "../language";
import { PartValue } from "../PartValue";
import { multipleChoice } from "./view";

const names = (name: string) => ({ "zh-Hans": name, "zh-Hant": name, en: name });
const choices = [
  { code: "food", name: names("Cooking and Food"), definition: names("Dishes, food and drink of the place."), search: [] },
  { code: "brands", name: names("Brands and Products"), definition: null, search: [] },
];
const urdu = text({ lang: "ur-PK", dir: "rtl" });
const english = text({ lang: "en", language: "translation" });

function rulesFor(local: TextNode, translated?: TextNode): RulesOf<"multiple_choice"> {
  return {
    kind: "multiple_choice",
    content: choiceTree(4, choices, local, translated),
    options: 4,
    explanation: false,
  drafting: null,
  blind_trials: null,
    concept_in_question: "allowed",
    flags: ["where_vague"],
    human_checks: [{ code: "not_vague", name: names("Not vague") }],
    review_reasons: [],
    skip_reasons: [],
  };
}
const rules = rulesFor(urdu, english);

const both = (local: string, translated: string) => ({ local, translated });
const written: Content = {
  category: "brands",
  question: both("تصویر میں Toyota کی کون سی گاڑی ہے؟", "Which Toyota is in the picture?"),
  options: [both("Corolla کرولا", "Corolla"), both("", ""), both("ہائی لکس", "Hilux"), both("ہائی لکس", "Hilux")],
};
const equal: Finding = {
  code: "option_equal",
  field: "options.3.local",
  severity: "error",
  overridable: false,
  params: { other: 2 },
  spans: [],
};

interface DeskProps {
  start?: string;
  content?: Content;
  findings?: Finding[];
  of?: RulesOf<"multiple_choice">;
  onChange?: (content: Content) => void;
}

function Desk({ start = "question.local", content: first = written, findings = [], of = rules, onChange = () => undefined }: DeskProps) {
  const [content, setContent] = useState(first);
  const [field, setField] = useState(start);
  useKeyListener();
  return (
    <multipleChoice.Editor
      itemId={1}
      content={content}
      rules={of}
      findings={findings}
      reasons={{}}
      field={field}
      onField={setField}
      onChange={(next) => {
        setContent(next);
        onChange(next);
      }}
      onReason={vi.fn()}
    />
  );
}

test("each field has both languages side by side, each in its own direction", async () => {
  await renderScreen(<Desk />);
  const fields = screen.getAllByRole<HTMLTextAreaElement>("textbox");
  expect(fields.map((field) => field.getAttribute("aria-label"))).toEqual([
    "Question, Urdu (Pakistan)",
    "Question, English",
    "Correct option, Urdu (Pakistan)",
    "Correct option, English",
    "Distractor 1, Urdu (Pakistan)",
    "Distractor 1, English",
    "Distractor 2, Urdu (Pakistan)",
    "Distractor 2, English",
    "Distractor 3, Urdu (Pakistan)",
    "Distractor 3, English",
  ]);
  expect(fields.map(({ lang, dir }) => [lang, dir])).toEqual(
    Array.from({ length: 5 }, () => [
      ["ur-PK", "rtl"],
      ["en", "ltr"],
    ]).flat(),
  );
  expect(screen.getByTestId("question-translated-count").textContent).toBe("25");
});

test("Alt and L go to the same field in the other language and back, but not while an input method composes", async () => {
  await renderScreen(<Desk start="options.2.local" />);
  const local = screen.getByTestId("options-2-local");
  expect(document.activeElement).toBe(local);
  fireEvent.keyDown(local, { key: "l", code: "KeyL", altKey: true, isComposing: true });
  expect(document.activeElement).toBe(local);
  fireEvent.keyDown(local, { key: "¬", code: "KeyL", altKey: true });
  expect(document.activeElement).toBe(screen.getByTestId("options-2-translated"));
  fireEvent.keyDown(screen.getByTestId("options-2-translated"), { key: "l", code: "KeyL", altKey: true });
  expect(document.activeElement).toBe(local);
});

test("what is typed changes one text, and a finding is under the field it concerns", async () => {
  const onChange = vi.fn<(content: Content) => void>();
  await renderScreen(<Desk start="options.1.translated" findings={[equal]} onChange={onChange} />);
  await userEvent.type(screen.getByTestId("options-1-translated"), "Civic");
  expect(onChange.mock.lastCall?.[0]).toMatchObject({ options: [{}, both("", "Civic"), {}, {}] });
  const wrong = screen.getByTestId("options-3-local");
  expect(wrong.getAttribute("aria-invalid")).toBe("true");
  const note = document.getElementById(wrong.getAttribute("aria-describedby") ?? "");
  expect(note?.textContent).toBe("Same as: Distractor 2");
});

test("the right option is named where another says the same", async () => {
  await renderScreen(<Desk findings={[{ ...equal, params: { other: 0 } }]} />, { language: "zh-Hans" });
  expect(screen.getByTestId("finding-option_equal").textContent).toBe("与“正确选项”相同");
});

test("the definition of the chosen category is in view", async () => {
  const onChange = vi.fn<(content: Content) => void>();
  await renderScreen(<Desk start="category" content={{ ...written, category: "" }} onChange={onChange} />);
  const select = screen.getByLabelText<HTMLSelectElement>("Category");
  expect(document.activeElement).toBe(select);
  expect([...select.options].map(({ textContent }) => textContent)).toEqual(["Choose a category", "Cooking and Food", "Brands and Products"]);
  await userEvent.selectOptions(select, "food");
  expect(onChange.mock.lastCall?.[0]).toMatchObject({ category: "food" });
  expect(screen.getByText("Dishes, food and drink of the place.")).toBeTruthy();
});

test("a category that left the list stays readable", async () => {
  const unknown: Finding = { ...equal, code: "category_unknown", field: "category", params: { category: "cars" } };
  const content = { ...written, category: "cars" };
  await renderScreen(
    <>
      <Desk start="" content={content} findings={[unknown]} />
      <multipleChoice.Reader content={content} rules={rules} />
    </>,
  );
  expect(screen.getByLabelText<HTMLSelectElement>("Category").value).toBe("cars");
  expect(screen.getByText("The category “cars” is not in the list")).toBeTruthy();
  expect(screen.getByText("Category: cars")).toBeTruthy();
});

test("in one language a field is one text with a plain name, and there is nothing to switch to", async () => {
  const content = { category: "", question: { local: "" }, options: [1, 2, 3, 4].map((n) => ({ local: `${n}` })) };
  await renderScreen(<Desk of={rulesFor(text())} content={content} />);
  const fields = screen.getAllByRole("textbox");
  expect(fields.map((field) => field.getAttribute("aria-label"))).toEqual([
    "Question",
    "Correct option",
    "Distractor 1",
    "Distractor 2",
    "Distractor 3",
  ]);
  const [question] = fields;
  fireEvent.keyDown(question as Element, { key: "l", code: "KeyL", altKey: true });
  expect(document.activeElement).toBe(question);
});

test("read back, each text is in its language, and lists show the question with its answer", async () => {
  await renderScreen(
    <>
      <div data-testid="whole">
        <multipleChoice.Reader content={written} rules={rules} findings={[equal]} reasons={{ answer_in_question: "Markenname" }} />
      </div>
      <div data-testid="short">
        <multipleChoice.Reader content={written} rules={rules} short />
      </div>
    </>,
  );
  const whole = within(screen.getByTestId("whole"));
  expect(whole.getAllByRole("term").map((term) => term.textContent)).toEqual([
    "Question",
    "Correct option",
    "Distractor 1",
    "Distractor 2",
    "Distractor 3",
  ]);
  const question = whole.getByText("تصویر میں Toyota کی کون سی گاڑی ہے؟").closest("p");
  expect([question?.lang, question?.dir]).toEqual(["ur-PK", "rtl"]);
  expect(whole.getByTestId("finding-option_equal")).toBeTruthy();
  expect(whole.getByTestId("kept-answer_in_question").textContent).toContain("Markenname");
  expect(screen.getByTestId("short").textContent).toBe("تصویر میں Toyota کی کون سی گاڑی ہے؟ ✓ Corolla کرولا+3 distractors");
});

test("rules say what is checked, what is pointed out and what people judge", async () => {
  const whole = { ...written, options: ["1", "2", "3", "4"].map((n) => both(n, n)) };
  await renderScreen(
    <>
      <multipleChoice.RuleChips rules={rules} content={whole} findings={[equal]} isChecked />
      <multipleChoice.Guide rules={rules} />
    </>,
  );
  expect(screen.getByText("Options all different")).toBeTruthy();
  expect(screen.getByText("✓ Answer not in the question")).toBeTruthy();
  for (const line of ["Every text in both languages", "Questions that only ask “where”", "Not vague"]) expect(screen.getByText(line)).toBeTruthy();
  expect(screen.queryByText("An explanation of the correct option")).toBeNull();
});

test("an item's own language replaces that of its package, and the translation stays", async () => {
  const bengali = rulesIn(rulesFor(text({ lang: "" }), english), { lang: "bn-IN", dir: "ltr" });
  expect(rulesIn(rules, null)).toBe(rules);
  await renderScreen(<multipleChoice.Reader content={{ ...written, question: both("ছবিতে কী আছে?", "What is it?") }} rules={bengali} />);
  expect(screen.getByText("ছবিতে কী আছে?").closest("p")?.lang).toBe("bn-IN");
  expect(screen.getByText("What is it?").closest("p")?.lang).toBe("en");
});

test("versions that are compared show the category by its name", async () => {
  await renderScreen(
    <PartValue view={multipleChoice} rules={rules} path="category" node={rules.content.fields.category ?? urdu} value="food" />,
  );
  expect(screen.getByText("Cooking and Food")).toBeTruthy();
});

test("where a model tries questions without their pictures, its answers are below the fields", async () => {
  const trials = { state: "hidden", revision_no: 1, flagged: false, trials: [], error_code: null, error_params: {}, retry_at: null, worker_alive: true };
  const { asked } = serve({ "GET /api/v1/items/1/blind-trials": { body: trials } });
  await renderScreen(<Desk />);
  expect(asked).toEqual([]);
  await renderScreen(<Desk of={{ ...rules, blind_trials: { model: "m", prompt: "p", tries: 4, flagged_from: 4 } }} />);
  expect((await screen.findByTestId("blind-trials")).dataset.state).toBe("hidden");
});
