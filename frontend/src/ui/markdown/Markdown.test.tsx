import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderScreen } from "@/testing/render";
import { Markdown } from "./Markdown";

async function draw(text: string): Promise<HTMLElement> {
  await renderScreen(<Markdown text={text} lang="zh-Hans" />);
  const drawn = screen.getByTestId("markdown");
  await expect.poll(() => drawn.querySelector("p.markdown-plain:only-child")?.textContent !== text).toBe(true);
  return drawn;
}

describe("Markdown", () => {
  it("draws headings below the page's own, lists, tables and links", async () => {
    const drawn = await draw("# 怎么写\n\n- 写**看得见**的\n- [x] 写完\n\n| 好 | 坏 |\n| --- | --- |\n| 两只舞狮 | 热闹 |\n\n见 [说明](https://example.org/a?b=1)");
    expect(drawn.querySelector("h3")?.textContent).toBe("怎么写");
    expect(drawn.querySelector("strong")?.textContent).toBe("看得见");
    expect([...drawn.querySelectorAll("li")].map((item) => item.textContent)).toEqual(["写看得见的", "☑ 写完"]);
    expect(drawn.querySelector("td")?.textContent).toBe("两只舞狮");
    const link = drawn.querySelector("a");
    expect([link?.getAttribute("href"), link?.rel]).toEqual(["https://example.org/a?b=1", "noopener noreferrer"]);
  });

  it("shows markup that someone typed as the characters they typed", async () => {
    const drawn = await draw("<script>alert(1)</script>\n\n写 <img src=x onerror=alert(1)> 好\n\n<b>粗</b>");
    expect(drawn.querySelector("script, img, b")).toBeNull();
    expect(drawn.textContent).toContain("<script>alert(1)</script>");
    expect(drawn.textContent).toContain("写 <img src=x onerror=alert(1)> 好");
  });

  it("makes no link of an address that could do something else", async () => {
    const drawn = await draw("[一](javascript:alert(1)) [二](JaVa&#x73;cript:alert(1)) [三](data:text/html,x) ![四](javascript:alert(1)) [五](vbscript:x) <javascript:alert(1)>");
    expect(drawn.querySelectorAll("a, img")).toHaveLength(0);
    expect(drawn.textContent).toContain("一 二 三 四 五");
  });
});
