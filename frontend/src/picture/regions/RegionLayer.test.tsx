import { act, fireEvent, screen, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { axeFaults } from "@/testing/axe";
import { renderScreen } from "@/testing/render";
import { FootBar, KeySheets, useActions, type Action } from "@/ui/keys";
import { PictureSpace } from "../PictureSpace";
import { Stage } from "../Stage";
import type { LabelChoice } from "./labels";
import { used } from "./labels";
import { RegionLayer } from "./RegionLayer";
import { RegionList } from "./RegionList";
import type { Region } from "./regions";

const picture = { width: 2000, height: 1000 };
const choices: readonly LabelChoice[] = [
  { code: "lion", name: "Lion dance", search: ["舞狮", "wushi", "ws"], isMain: true },
  { code: "drum", name: "Drum", search: ["鼓", "gu", "g"] },
  { code: "lantern", name: "Lantern", search: ["灯笼", "denglong", "dl"] },
];
const nameOf = ({ label = "" }: Region) => choices.find(({ code }) => code === label)?.name ?? "No label";

const heard = vi.fn();
const pageKeys = vi.fn();
const pageActions: readonly Action<null>[] = [
  { name: "page.next", label: "next", keys: ["ArrowDown", "Enter"], inText: true, perform: () => void pageKeys("next") },
  { name: "page.leave", label: "leave", keys: ["Escape"], inText: true, perform: () => void pageKeys("leave") },
];

function Page({ start = [], hasLabels = true }: { start?: readonly Region[]; hasLabels?: boolean }) {
  const [regions, setRegions] = useState(start);
  const [selected, setSelected] = useState<string | null>(null);
  const [recent, setRecent] = useState<readonly string[]>([]);
  useActions(pageActions, null);
  return (
    <PictureSpace>
      <KeySheets />
      <Stage {...picture} view="/view" clean="/clean" label="Picture">
        <RegionLayer
          mode="edit"
          regions={regions}
          picture={picture}
          nameOf={nameOf}
          selected={selected}
          onSelect={setSelected}
          onChange={(next) => {
            heard(next.map(({ box, label }) => [label ?? "", ...box]));
            setRegions(next);
          }}
          create={(key, box) => ({ key, box })}
          labels={hasLabels ? { choices, recent, onUsed: (code) => setRecent(used(recent, code)) } : undefined}
        />
      </Stage>
      <RegionList
        regions={regions}
        label="Boxes"
        nameOf={nameOf}
        selected={selected}
        onSelect={setSelected}
        onRemove={(key) => setRegions(regions.filter((region) => region.key !== key))}
      />
      <FootBar />
    </PictureSpace>
  );
}

const svg = () => {
  const found = screen.getByTestId("stage").querySelector("svg");
  if (!found) throw new Error("no picture is shown");
  return found;
};
const shown = () => screen.getAllByTestId("region");
const first = () => {
  const [region] = shown();
  if (!region) throw new Error("no region");
  return region;
};
const ghost = () => {
  const element = screen.getByTestId("region-ghost");
  const rect = element.querySelector("rect");
  return element.style.display === "none" ? null : ["x", "y", "width", "height"].map((name) => Number(rect?.getAttribute(name)));
};
/** The frame shows 2000 × 1000 in 800 × 600: two fifths of its size, with 100 above and below. */
const at = (x: number, y: number, more: object = {}) => ({ clientX: x * 0.4, clientY: y * 0.4 + 100, button: 0, pointerId: 1, pointerType: "mouse", ...more });
const nextFrame = () => act(() => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined))));
function drag(from: [number, number], to: [number, number], more: object = {}) {
  fireEvent.pointerDown(svg(), at(...from, more));
  fireEvent.pointerMove(svg(), at(...to, more));
  fireEvent.pointerUp(svg(), at(...to, more));
}
const tap = (x: number, y: number, more: object = {}) => {
  fireEvent.pointerDown(svg(), at(x, y, more));
  fireEvent.pointerUp(svg(), at(x, y, more));
};
const touch = { pointerType: "touch" };
const press = (key: string, more: object = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
const input = () => screen.getByRole("combobox");
const last = () => heard.mock.lastCall?.[0] as unknown;

afterEach(() => vi.unstubAllGlobals());
beforeEach(() => {
  heard.mockClear();
  pageKeys.mockClear();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(private readonly call: (entries: unknown[]) => void) {}
      observe() {
        this.call([{ contentRect: { width: 800, height: 600 } }]);
      }
      disconnect() {
        return undefined;
      }
    },
  );
});

const two: readonly Region[] = [
  { key: "outer", box: [200, 200, 800, 600], label: "lion" },
  { key: "inner", box: [400, 400, 100, 100], label: "drum" },
];

test("a box is drawn, named by typing pinyin, and the next one gets the same name with Enter", async () => {
  await renderScreen(<Page />);
  fireEvent.pointerDown(svg(), at(100, 100));
  fireEvent.pointerMove(svg(), at(300, 250));
  await nextFrame();
  expect(ghost()).toEqual([100, 100, 200, 150]);
  expect(heard).not.toHaveBeenCalled();
  fireEvent.pointerUp(svg(), at(301, 251));
  expect(ghost()).toBeNull();
  expect(last()).toEqual([["", 100, 100, 201, 151]]);
  expect(document.activeElement).toBe(input());
  fireEvent.change(input(), { target: { value: "dengl" } });
  expect(screen.getAllByRole("option").map((one) => one.textContent)).toEqual(["Lantern"]);
  press("Enter");
  expect(last()).toEqual([["lantern", 100, 100, 201, 151]]);
  expect(screen.queryByTestId("label-box")).toBeNull();

  // Also where the last one is: what was just named does not move.
  drag([150, 150], [400, 400]);
  expect(screen.getAllByRole("option").map((one) => one.textContent)).toEqual(["Lanternrecent", "Lion dancemain", "Drum"]);
  press("Enter");
  expect(last()).toEqual([["lantern", 100, 100, 201, 151], ["lantern", 150, 150, 250, 250]]);
  expect(pageKeys).not.toHaveBeenCalled();
});

test("what an input method composes is no key: not Enter, not Escape, not an arrow", async () => {
  await renderScreen(<Page />);
  drag([100, 100], [300, 300]);
  fireEvent.compositionStart(input());
  for (const key of ["Enter", "Escape", "ArrowDown", "n"]) press(key, { isComposing: true });
  press("Enter", { keyCode: 229 });
  expect(document.activeElement).toBe(input());
  expect(heard).toHaveBeenCalledOnce();
  fireEvent.compositionEnd(input());
  fireEvent.change(input(), { target: { value: "鼓" } });
  press("Enter");
  expect(last()).toEqual([["drum", 100, 100, 200, 200]]);
});

test("a press selects the smallest box and then the one around it; the selected one moves and is pulled", async () => {
  await renderScreen(<Page start={two} />);
  tap(450, 450);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Drum, 2 of 2, at 400, 400, 100 by 100 pixels");
  drag([450, 450], [460, 440]);
  expect(last()).toEqual([["lion", 200, 200, 800, 600], ["drum", 410, 390, 100, 100]]);
  drag([510, 490], [610, 590]);
  expect(last()).toEqual([["lion", 200, 200, 800, 600], ["drum", 410, 390, 200, 200]]);
  tap(500, 500);
  expect(document.activeElement?.getAttribute("data-region")).toBe("outer");
  // With Shift, a box is drawn also inside the selected one.
  drag([700, 700], [800, 780], { shiftKey: true });
  expect(last()).toHaveLength(3);
  press("Escape");
  tap(50, 50);
  expect(shown().filter((one) => one.hasAttribute("data-selected"))).toEqual([]);
});

test("a slip of the hand draws nothing", async () => {
  await renderScreen(<Page />);
  tap(100, 100);
  drag([100, 100], [102, 102]);
  drag([100, 100], [900, 101]);
  fireEvent.pointerDown(svg(), at(100, 100));
  fireEvent.pointerMove(svg(), at(500, 500));
  fireEvent.pointerCancel(svg(), at(500, 500));
  expect(heard).not.toHaveBeenCalled();
  expect(ghost()).toBeNull();
});

test("everything by keyboard: draw, name, place, resize, copy, delete, undo, redo", async () => {
  await renderScreen(<Page />);
  press("n");
  expect(last()).toEqual([["", 900, 400, 200, 200]]);
  press("ArrowDown");
  press("Enter");
  expect(last()).toEqual([["drum", 900, 400, 200, 200]]);
  // It stays selected, to be put in its place.
  expect(document.activeElement).toBe(first());
  press("ArrowRight");
  press("ArrowUp", { shiftKey: true });
  press("ArrowLeft", { altKey: true });
  press("ArrowDown", { altKey: true, shiftKey: true });
  expect(last()).toEqual([["drum", 901, 390, 199, 210]]);
  expect(screen.getByText("At 901, 390, 199 by 210 pixels").getAttribute("role")).toBe("status");
  press("d", { ctrlKey: true });
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Drum, 2 of 2, at 913, 402, 199 by 210 pixels");
  press("Enter");
  fireEvent.change(input(), { target: { value: "ws" } });
  press("Enter");
  press("r");
  expect(last()).toEqual([["drum", 901, 390, 199, 210], ["lion", 913, 402, 199, 210]]);
  press("Delete");
  expect(last()).toEqual([["drum", 901, 390, 199, 210]]);
  expect(document.activeElement?.getAttribute("role")).toBe("application");
  for (let step = 0; step < 3; step += 1) press("z", { ctrlKey: true });
  expect(last()).toEqual([["drum", 901, 390, 199, 210]]);
  press("z", { ctrlKey: true, shiftKey: true });
  expect(last()).toHaveLength(2);
  expect(pageKeys).not.toHaveBeenCalled();
});

test("the arrows, Enter and Escape are the page's own while no box has the focus", async () => {
  await renderScreen(<Page start={two} />);
  press("ArrowDown");
  press("Enter");
  press("Escape");
  expect(pageKeys.mock.calls).toEqual([["next"], ["next"], ["leave"]]);
  act(() => first().focus());
  press("ArrowDown");
  press("Escape");
  expect(pageKeys).toHaveBeenCalledTimes(3);
  expect(last()).toEqual([["lion", 200, 201, 800, 600], ["drum", 400, 400, 100, 100]]);
  expect(screen.queryByTestId("foot-regions.label")).toBeNull();
  press("Escape");
  expect(pageKeys).toHaveBeenCalledTimes(4);
});

test("keys are in the foot bar and on the help sheet", async () => {
  await renderScreen(<Page start={two} />);
  fireEvent.click(screen.getByTestId("foot-regions.draw"));
  press("Escape");
  expect(screen.getByTestId("foot-regions.label").textContent).toContain("Choose label");
  press("?");
  const sheet = within(screen.getByTestId("help-sheet"));
  expect(sheet.getByText("Move box by 10 pixels").nextElementSibling?.querySelectorAll(".keycaps")).toHaveLength(4);
});

test("a finger draws, pulls a handle from 22 pixels away, and names by pressing again", async () => {
  await renderScreen(<Page start={two} />);
  drag([1200, 100], [1500, 300], touch);
  fireEvent.click(screen.getByRole("option", { name: /Drum/ }));
  expect(last()).toHaveLength(3);
  tap(1300, 200, touch);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Drum, 3 of 3, at 1,200, 100, 300 by 200 pixels");
  // 20 pixels of the screen are 50 of the picture.
  drag([1550, 350], [1650, 450], touch);
  expect(last()).toEqual([...two.map(({ label, box }) => [label, ...box]), ["drum", 1200, 100, 400, 300]]);
  tap(1300, 200, touch);
  fireEvent.click(screen.getByRole("option", { name: /Lantern/ }));
  expect((last() as unknown[])[2]).toEqual(["lantern", 1200, 100, 400, 300]);
});

test("a second finger ends drawing without a box, and both zoom", async () => {
  await renderScreen(<Page />);
  const before = svg().getAttribute("viewBox");
  fireEvent.pointerDown(svg(), at(500, 500, touch));
  fireEvent.pointerMove(svg(), at(600, 600, touch));
  await nextFrame();
  expect(ghost()).not.toBeNull();
  fireEvent.pointerDown(svg(), at(1000, 500, { ...touch, pointerId: 2 }));
  expect(ghost()).toBeNull();
  fireEvent.pointerMove(svg(), at(1400, 500, { ...touch, pointerId: 2 }));
  await nextFrame();
  expect(svg().getAttribute("viewBox")).not.toBe(before);
  expect(Number(svg().querySelector<SVGGElement>("[style*=pixel]")?.style.getPropertyValue("--pixel"))).toBeLessThan(2);
  fireEvent.pointerUp(svg(), at(1400, 500, { ...touch, pointerId: 2 }));
  fireEvent.pointerMove(svg(), at(700, 600, touch));
  fireEvent.pointerUp(svg(), at(700, 600, touch));
  expect(heard).not.toHaveBeenCalled();
  expect(screen.getByTestId("stage-scale").textContent).not.toContain("40");
});

test("the space bar pans instead of drawing, on the page itself and for React at the end", async () => {
  await renderScreen(<Page />);
  fireEvent.click(screen.getByRole("button", { name: "Zoom in" }));
  const before = svg().getAttribute("viewBox");
  fireEvent.keyDown(document.body, { key: " " });
  fireEvent.pointerDown(svg(), at(500, 500));
  fireEvent.pointerMove(svg(), at(400, 500));
  await nextFrame();
  const panned = svg().getAttribute("viewBox");
  expect(panned).not.toBe(before);
  fireEvent.pointerUp(svg(), at(400, 500));
  expect(svg().getAttribute("viewBox")).toBe(panned);
  fireEvent.keyUp(document.body, { key: " " });
  expect(heard).not.toHaveBeenCalled();
  drag([500, 500], [700, 700]);
  expect(heard).toHaveBeenCalledOnce();
});

test("the wheel zooms where the pointer is; going back to the whole picture in the middle of it shows that", async () => {
  await renderScreen(<Page />);
  const whole = svg().getAttribute("viewBox");
  fireEvent.wheel(svg(), { ...at(1000, 500), deltaY: -400 });
  await nextFrame();
  expect(svg().getAttribute("viewBox")).not.toBe(whole);
  fireEvent.click(screen.getByRole("button", { name: "Zoom in" }));
  press("0");
  await nextFrame();
  expect(svg().getAttribute("viewBox")).toBe(whole);
});

test("what the list deletes can be undone on the picture", async () => {
  await renderScreen(<Page start={two} />);
  fireEvent.click(screen.getByRole("button", { name: "Delete 1, Lion dance" }));
  expect(shown()).toHaveLength(1);
  press("z", { ctrlKey: true });
  expect(shown()).toHaveLength(2);
  fireEvent.click(screen.getByRole("button", { name: /^2 ?Drum/ }));
  expect(document.activeElement?.getAttribute("data-region")).toBe("inner");
});

test("the row of a selected box gives it the focus back, so that arrows move it", async () => {
  await renderScreen(<Page start={[{ key: "a", box: [100, 100, 200, 200] }]} hasLabels={false} />);
  const [row] = within(screen.getByTestId("region-row")).getAllByRole("button");
  if (!row) throw new Error("no row");
  fireEvent.click(row);
  row.focus();
  fireEvent.click(row);
  expect(document.activeElement).toBe(first());
  press("ArrowRight");
  expect(last()).toEqual([["", 101, 100, 200, 200]]);
});

test("leaving the list of labels with Escape keeps the box without one; axe finds no fault", async () => {
  await renderScreen(<Page start={two} />);
  press("n");
  expect(await axeFaults()).toEqual([]);
  press("Escape");
  expect(screen.queryByTestId("label-box")).toBeNull();
  expect(document.activeElement?.getAttribute("aria-label")).toBe("No label, 3 of 3, at 900, 400, 200 by 200 pixels");
  expect(pageKeys).not.toHaveBeenCalled();
  expect(await axeFaults()).toEqual([]);
});

test("without labels, drawing goes on at once", async () => {
  await renderScreen(<Page hasLabels={false} />);
  drag([100, 100], [300, 300]);
  expect(screen.queryByTestId("label-box")).toBeNull();
  expect(document.activeElement).toBe(first());
});

test("regions that are only shown have names and looks and take no keys", async () => {
  const point = vi.fn();
  await renderScreen(
    <Stage {...picture} view="/view" clean="/clean" label="Picture">
      <RegionLayer
        mode="point"
        regions={two}
        picture={picture}
        nameOf={nameOf}
        lookOf={({ key }) => (key === "inner" ? { tone: "warn", isDashed: true, icon: "?", state: "not decided", className: "own" } : { colour: 9 })}
        point={null}
        onPoint={point}
        pointName="Where is it?"
      />
    </Stage>,
  );
  const looks = shown().map((one) => ["role", "tabindex", "data-colour", "data-tone", "data-dashed", "class"].map((name) => one.getAttribute(name)));
  expect(looks).toEqual([
    ["img", null, "1", null, null, "region"],
    ["img", null, null, "warn", "true", "region own"],
  ]);
  expect(shown().map((one) => one.getAttribute("aria-label"))).toEqual([
    "Lion dance, 1 of 2, at 200, 200, 800 by 600 pixels",
    "Drum: not decided, 2 of 2, at 400, 400, 100 by 100 pixels",
  ]);
  tap(450, 450);
  expect(point.mock.calls).toEqual([[{ x: 450, y: 450 }]]);
  expect(await axeFaults()).toEqual([]);
});
