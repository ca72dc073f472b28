import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Place } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { KeySheets } from "@/ui/keys";
import { AT_A_TIME, ItemStrip } from "./ItemStrip";
import { askingAfter, markedPlaces } from "./marks";

const place = (position: number, state: Place["state"] = "made"): Place => ({ id: 100 + position, label: `cap-${position}`, position, state });
const packageOf = (size: number) => markedPlaces(Array.from({ length: size }, (_, index) => place(index + 1)), []);
const shown = () => screen.getAllByTestId(/^place-/).map(({ textContent }) => Number(textContent));

async function open(size: number, current: number | null) {
  const onOpen = vi.fn();
  await renderScreen(
    <>
      <KeySheets />
      <ItemStrip places={packageOf(size)} current={current} onOpen={onOpen} />
    </>,
  );
  return { onOpen, keys: userEvent.setup({ delay: null }) };
}

test("a package of hundreds shows so many at a time, around the open one, and pages through the rest", async () => {
  const { keys, onOpen } = await open(345, 150);
  expect(shown()).toEqual(Array.from({ length: AT_A_TIME }, (_, index) => 41 + index));
  await keys.click(screen.getByTestId("strip-after"));
  expect([shown()[0], shown().length]).toEqual([61, AT_A_TIME]);
  await keys.click(screen.getByTestId("place-cap-70"));
  expect(onOpen).toHaveBeenCalledWith(170);
});

test("is one tab stop, whose arrows walk through the whole package", async () => {
  const { keys, onOpen } = await open(45, 120);
  const focused = () => document.activeElement?.textContent;
  await keys.keyboard("{Alt>}j{/Alt}");
  expect(focused()).toBe("20");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("20 · cap-20: written");
  expect(screen.getAllByTestId(/^place-/).filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  await keys.keyboard("{ArrowRight}");
  expect([focused(), shown()[0]]).toEqual(["21", 21]);
  await keys.keyboard("{End}{ArrowRight}");
  expect([focused(), shown()]).toEqual(["45", [41, 42, 43, 44, 45]]);
  await keys.keyboard("{Home}{ArrowRight}{Enter}");
  expect(onOpen).toHaveBeenCalledWith(102);
});

test("a small package has no pages, and a finished one no open item", async () => {
  await open(3, null);
  expect(shown()).toEqual([1, 2, 3]);
  expect(screen.queryByTestId("strip-after")).toBeNull();
  expect(screen.queryByTestId("strip-todo")).toBeNull();
});

test("what is on its way and what needs a decision come before the state", () => {
  const places = [place(1, "todo"), place(2, "todo"), place(3, "returned"), place(4, "skipped"), place(5, "todo")];
  const marked = markedPlaces(places, [
    { itemId: 101, state: "waiting" },
    { itemId: 103, state: "conflict" },
  ]);
  expect(marked.map(({ mark }) => mark)).toEqual(["sending", "todo", "undecided", "skipped", "todo"]);
  expect(askingAfter(marked, 2).map(({ mark, count, next }) => [mark, count, next.position])).toEqual([
    ["undecided", 1, 3],
    ["todo", 2, 5],
  ]);
  expect(askingAfter(marked, 5).map(({ next }) => next.position)).toEqual([3, 2]);
});
