import i18next from "i18next";
import { expect, it } from "vitest";
import { startTexts } from "./setup";
import { joinSpaced } from "./spacing";

it("joins with a blank only where Chinese meets Latin letters or digits", () => {
  expect(joinSpaced(["PNG", "、", "WebP", "和", "HEIC"])).toBe("PNG、WebP 和 HEIC");
  expect(joinSpaced(["图片", "和", "文字"])).toBe("图片和文字");
  expect(joinSpaced(["to ", "3", " days"])).toBe("to 3 days");
});

it("spaces the values that are filled into a text, and changes nothing inside them", async () => {
  await startTexts("zh-Hans");
  i18next.addResourceBundle("zh-Hans", "sample", { until: "次数将于{{at}}重置。", name: "{{who}}邀请你加入", gallery: "图库：{{split}}部分的$t(sample:images, {\"count\": {{count}} })", images_other: "{{count}} 张图片" });
  const text = (key: string, values: object) => i18next.t(`sample:${key}`, values as Record<string, unknown>);
  expect(text("until", { at: "2026年11月23日 16:00" })).toBe("次数将于 2026年11月23日 16:00 重置。");
  expect(text("until", { at: "明天" })).toBe("次数将于明天重置。");
  expect(text("name", { who: "Wang芳" })).toBe("Wang芳邀请你加入");
  expect(text("gallery", { split: "test", count: 15 })).toBe("图库：test 部分的15 张图片");
  expect(text("name", { who: "Wang" })).toBe("Wang 邀请你加入");
});
