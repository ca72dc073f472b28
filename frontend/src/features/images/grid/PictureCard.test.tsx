import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Image } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { measure } from "./JudgeGrid";
import { PictureCard } from "./PictureCard";

const image = {
  ...{ id: 1, label: "img-0001", state: "accepted", thumb_url: "/t", width: 400, height: 300, category: null, near: [], flags: [], available_actions: [] },
  ...{ subset: "A", objects: { all: 7, listed: 4, main: 3, categories: null }, personal_information_clear: false },
} as unknown as Image;

afterEach(() => vi.unstubAllGlobals());

test("the chip of a subset says how many objects there are, and in full to those who hear it", async () => {
  await renderScreen(
    <ul role="listbox" aria-label="Pictures">
      <PictureCard image={image} decision={undefined} isAt isChosen={false} isMarked={false} />
    </ul>,
  );
  const chip = await screen.findByTitle("7 in total, 4 of listed categories, 3 of the main category");
  expect(within(chip).getByText("· 7 objects").getAttribute("aria-hidden")).toBe("true");
  expect(screen.getByRole("option", { name: /A ?: 7 in total, 4 of listed categories, 3 of the main category/ })).toBeTruthy();
});

test("the page knows the height of the bar at its foot, so that no picture is scrolled to below it", () => {
  const stop = vi.fn();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(private readonly call: () => void) {}
      observe() {
        this.call();
      }
      disconnect = stop;
    },
  );
  const page = document.createElement("main");
  const bar = page.appendChild(document.createElement("div"));
  Object.defineProperty(bar, "offsetHeight", { value: 160 });
  measure(bar)?.();
  expect([page.style.getPropertyValue("--decide"), stop.mock.calls.length]).toEqual(["160px", 1]);
  expect(measure(null)).toBeUndefined();
});
