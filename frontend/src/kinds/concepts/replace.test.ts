import { expect, test } from "vitest";
import type { Finding } from "@/api/types";
import { choiceTree, text } from "@/testing/content";
import { hasConcepts, withoutConcepts } from "./replace";

const tree = choiceTree(2, [], text(), text({ lang: "en", language: "translation" }));

/** A content with these questions, and a finding for each mark: a name that a side has, and what takes its place. */
function named(local: string, translated: string, marks: readonly (readonly ["local" | "translated", string, string])[]) {
  const question = { local, translated };
  const options = [1, 2].map((n) => ({ local: `朱雀${String(n)}`, translated: `Bird ${String(n)}` }));
  const findings: Finding[] = marks.map(([side, name, put]) => {
    const field = `question.${side}`;
    const start = question[side].indexOf(name);
    const span = { field, start, end: start + name.length };
    return { code: "concept_in_question", field, severity: "error", overridable: false, params: { concept: name, put }, spans: [span] };
  });
  return { content: { category: "", question, options }, findings };
}

function questionsOf(...of: Parameters<typeof named>) {
  const { content, findings } = named(...of);
  const after = withoutConcepts(tree, content, findings);
  expect(after).toMatchObject({ category: "", options: content.options });
  const { local, translated } = after.question as { local: string; translated: string };
  return [local, translated];
}

const CREATURE = "the mythical creature in the picture";

test.each([
  ["𠮷🏮朱雀守护哪里？", "𠮷🏮图中的神兽守护哪里？"],
  ["图中的朱雀守护哪里？", "图中的神兽守护哪里？"],
  ["圖中的朱雀守護哪裡？", "图中的神兽守護哪裡？"],
  ["哪里有朱雀", "哪里有图中的神兽"],
])("in Chinese: %s", (before, after) => {
  expect(questionsOf(before, "", [["local", "朱雀", "图中的神兽"]])).toEqual([after, ""]);
});

test.each([
  ["What does the Vermilion Bird guard?", "What does the mythical creature in the picture guard?"],
  ["Vermilion Bird: what does it guard?", "The mythical creature in the picture: what does it guard?"],
  ["A Vermilion Bird guards what?", "The mythical creature in the picture guards what?"],
  ["What does this Vermilion Bird guard?", "What does the mythical creature in the picture guard?"],
  ["Breathe Vermilion Bird", "Breathe the mythical creature in the picture"],
])("in English: %s", (before, after) => {
  expect(questionsOf("", before, [["translated", "Vermilion Bird", CREATURE]])).toEqual(["", after]);
});

test("both languages and several places at once; only what can be replaced", () => {
  const after = questionsOf("青龙和朱雀呢？", "Azure Dragon or Vermilion Bird?", [
    ["local", "青龙", "图中的神兽"],
    ["local", "朱雀", "图中的鸟"],
    ["translated", "Vermilion Bird", CREATURE],
    ["translated", "Azure Dragon", ""],
  ]);
  expect(after).toEqual(["图中的神兽和图中的鸟呢？", `Azure Dragon or ${CREATURE}?`]);
});

test("what may be another word stays", () => {
  const { content, findings } = named("鼎盛时期的朱雀？", "", [
    ["local", "鼎", "图中的器物"],
    ["local", "朱雀", "图中的神兽"],
  ]);
  const uncertain = findings.map((finding) => ({ ...finding, overridable: finding.params.concept === "鼎" }));
  const after = withoutConcepts(tree, content, uncertain);
  expect(after.question).toEqual({ local: "鼎盛时期的图中的神兽？", translated: "" });
  expect(hasConcepts(uncertain.slice(0, 1))).toBe(false);
});

test("what there is to replace", () => {
  const { findings } = named("朱雀", "", [["local", "朱雀", "图中的神兽"]]);
  expect([hasConcepts(findings), hasConcepts([]), hasConcepts(named("朱雀", "", [["local", "朱雀", ""]]).findings)]).toEqual([true, false, false]);
});
