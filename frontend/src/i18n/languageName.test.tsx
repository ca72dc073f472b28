import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderScreen } from "@/testing/render";
import { useLanguageName } from "./languageName";

function Names({ tags }: { tags: string[] }) {
  const name = useLanguageName();
  return <p data-testid="names">{tags.map(name).join("; ")}</p>;
}

test("languages have names, also those that browsers do not know", async () => {
  await renderScreen(<Names tags={["ur-PK", "arz-EG", "min-ID", "xx-EG", "", "not a tag"]} />, { language: "zh-Hans" });
  expect(screen.getByTestId("names").textContent).toBe("乌尔都语（巴基斯坦）; 埃及阿拉伯语; 米南佳保语（印度尼西亚）; xx-EG; ; not a tag");
});
