import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { RulesOf } from "@/api/types";
import { captionsTree, text } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { captions } from "../captions/view";

const rules: RulesOf<"captions"> = {
  kind: "captions",
  content: captionsTree(1, text({ lang: "ar", dir: "rtl" })),
  slots: 1,
  minimum_characters: 8,
  overlap: { measure: "bigram_jaccard", limit_percent: 30 },
  other_script_percent: null,
  human_checks: [],
  review_reasons: [],
  skip_reasons: [],
};
const nothing = () => undefined;

test("a text is written and read in its own language and direction", async () => {
  const content = { captions: ["أسد"] };
  await renderScreen(
    <>
      <captions.Editor
        itemId={1}
        content={content}
        rules={rules}
        findings={[]}
        reasons={{}}
        field="captions.0"
        onField={nothing}
        onChange={nothing}
        onReason={nothing}
      />
      <captions.Reader content={content} rules={rules} />
      <captions.Reader content={content} rules={rules} short />
    </>,
  );
  const field = screen.getByTestId("caption-1");
  const shown = screen.getAllByText("أسد").filter((element) => element !== field);
  const languages = [field, ...shown].map((element) => element.closest<HTMLElement>("[lang]"));
  expect(languages.map((element) => [element?.lang, element?.dir])).toEqual(Array(4).fill(["ar", "rtl"]));
  expect(document.activeElement).toBe(field);
});

test("words of another script are reported by their share, and the rule is in the guide", async () => {
  const some = { ...rules, other_script_percent: 20 };
  const content = { captions: ["一只黄色的舞狮站在gate前面"] };
  const finding = { code: "other_script", field: "captions.0", severity: "warn" as const, params: { percent: 26, maximum: 20 }, spans: [{ field: "captions.0", start: 9, end: 13 }], overridable: false };
  await renderScreen(
    <>
      <captions.Reader content={content} rules={some} findings={[finding]} />
      <captions.Guide rules={some} />
    </>,
  );
  expect(document.body.textContent).toContain("26% of the letters are in another script (limit 20%)");
  expect(document.body.textContent).toContain("At most 20% of the letters in another script");
});
