import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { WorkRules } from "@/api/types";
import { captions } from "@/kinds/captions/view";
import { item, rules } from "@/testing/desk";
import { renderScreen } from "@/testing/render";
import { CheckCard } from "./CheckCard";

const nothing = () => undefined;

test.each([
  [true, ["Corrected by reviewer"]],
  [false, []],
])("an item whose newest version is a reviewer's correction says so (%s)", async (isCorrected, chips) => {
  await renderScreen(
    <ul>
      <CheckCard
        {...{ item: item(1, { state: "made", is_corrected: isCorrected }), view: captions, rules: rules as unknown as WorkRules }}
        {...{ selected: false, ticked: false, canTick: true, edit: "/edit", onSelect: nothing, onTick: nothing, onLook: nothing }}
      >
        text
      </CheckCard>
    </ul>,
  );
  const card = await screen.findByTestId("check-cap-000001");
  expect([...card.querySelectorAll(".chip")].map((chip) => chip.textContent)).toEqual(chips);
});
