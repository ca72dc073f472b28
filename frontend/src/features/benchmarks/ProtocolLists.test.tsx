import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderScreen } from "@/testing/render";
import { Dimensions } from "./ProtocolLists";

const names = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });

test("the dimensions of pictures are listed with their values, and nothing is where there are none", async () => {
  const values = ["Primary school", "High school"].map((text) => ({ slug: text, name: names(text) }));
  await renderScreen(<Dimensions axes={[{ code: "grade", name: names("Grade"), values }]} />);
  expect(screen.getByTestId("dimensions").textContent).toBe("1 dimensionGradePrimary schoolHigh school");
  await renderScreen(<Dimensions axes={[]} />);
  expect(screen.getAllByTestId("dimensions")).toHaveLength(1);
});
