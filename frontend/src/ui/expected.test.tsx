// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { renderScreen } from "@/testing/render";
import { useExpected } from "./expected";

function All({ of }: { of: readonly string[] }) {
  const text = useExpected({ "a list": "ranked" });
  return <p>{of.map(text).join(" | ")}</p>;
}

const SAID = [
  "a list",
  "a value",
  "each id once; 7_0 came before",
  "at most 200 characters",
  "1 fields",
  "CSV (unexpected end of data)",
  "Parquet that can be read (ArrowInvalid)",
  "MCQ or MRQ",
];

test.each([
  ["en", "a ranked list | a value | each id once, and 7_0 came before | at most 200 characters | 1 field | CSV that can be read | Parquet that can be read | MCQ or MRQ"],
  ["zh-Hans", "排序列表 | 一个值 | 每个 id 只出现一次，而 7_0 前面已有 | 最多 200 个字符 | 1 个字段 | 可以读取的 CSV | 可以读取的 Parquet | MCQ or MRQ"],
] as const)("says in %s what a file should have, and leaves what it does not know", async (language, sentence) => {
  const { container } = await renderScreen(<All of={SAID} />, { language });
  expect(container.textContent).toBe(sentence);
});
