import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { useFormat } from "@/i18n/format";
import { renderScreen } from "@/testing/render";
import { Gap } from "./Gap";

function Sentences({ parts }: { parts: readonly [string, string] }) {
  const format = useFormat();
  return (
    <>
      <p data-testid="texts">{format.sentences([parts[0], "", parts[1]])}</p>
      <p data-testid="elements">
        {parts[0]}
        <Gap />
        {parts[1]}
      </p>
    </>
  );
}

test.each([
  ["en", ["One.", "Two."], "One. Two."],
  ["zh-Hans", ["一。", "二。"], "一。二。"],
  ["zh-Hant", ["一。", "二。"], "一。二。"],
] as const)("sentences follow one another as %s has it", async (language, parts, joined) => {
  await renderScreen(<Sentences parts={parts} />, { language });
  expect(screen.getByTestId("texts").textContent).toBe(joined);
  expect(screen.getByTestId("elements").textContent).toBe(joined);
});
