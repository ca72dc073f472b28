import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderScreen } from "@/testing/render";
import { isHeavy } from "./heavy";
import { MarkdownText } from "./MarkdownText";

const nested = (mark: string) => mark.repeat(20_000);

describe("a text that the parser would not bear", () => {
  it.each([
    ["emphasis", "*a".repeat(30_000)],
    ["brackets", "[".repeat(30_000)],
    ["code", Array.from({ length: 200 }, (_, i) => "`".repeat(i + 1)).join(" ")],
    ["quotes", `${nested(">")} a`],
    ["quotes with blanks", `${nested("> ")}a`],
    ["lists", `${nested("- ")}a`],
    ["numbered lists", `${nested("1. ")}a`],
    ["quotes in lists", `${nested("- > ")}a`],
    ["indentation", Array.from({ length: 200 }, (_, i) => `${"  ".repeat(i)}- a`).join("\n")],
    ["entities", "&amp; ".repeat(2_500)],
    ["blanks in a row", `a${" ".repeat(60_000)}b`],
    ["full stops in a row", ".".repeat(60_000)],
    ["characters beyond the first plane in a row", "𠮷".repeat(300)],
    ["empty lines", "a" + "\n".repeat(60_000)],
    ["long word", "www.a.".repeat(10_000)],
    ["marks in many paragraphs", `${"*a ".repeat(900)}\n\n`.repeat(12)],
    ["lines of a list", `- a\n${"b\n".repeat(10_000)}`],
    ["indented lines of a list", `- a\n${"  b\n".repeat(10_000)}`],
    ["cells of a table", `${"|a".repeat(600)}|\n${"|-".repeat(600)}|\n${"|a\n".repeat(300)}`],
  ])("is found by its %s, and shown as it was typed", async (_, text) => {
    expect(isHeavy(text)).toBe(true);
    await renderScreen(<MarkdownText text={text} under={2} />);
    expect(screen.getByText((_content, element) => element?.className === "markdown-plain").textContent).toBe(text);
  });

  it.each([
    ["a long guideline", "## 怎么写\n\n- 写**看得见**的\n  - 不写 *猜测*\n    1. 例如 `舞狮`\n\n> 引文\n\n".repeat(600)],
    ["a long paragraph without blanks", "看得见的东西写出来，不要猜测。".repeat(2_000)],
    ["a list without empty lines", "- 写看得见的\n".repeat(400)],
    ["a long table", `| 词 | 例 |\n| --- | --- |\n${"| 舞狮 | 两只 |\n".repeat(400)}`],
    ["a rule", `a\n\n${"-".repeat(200)}\n\nb`],
    ["a wide table", `| ${"a | ".repeat(400)}\n| ${"--- | ".repeat(400)}`],
    ["stars that are a line", "*".repeat(120)],
  ])("is not %s", (_, text) => {
    expect(isHeavy(text)).toBe(false);
  });
});
