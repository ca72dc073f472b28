import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Finding, WorkRules } from "@/api/types";
import { PictureSpace } from "@/picture/PictureSpace";
import { Stage } from "@/picture/Stage";
import { axeFaults } from "@/testing/axe";
import { choice, keyed, numbers, record } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { useActions, type Action } from "@/ui/keys";
import { useKeyListener } from "@/ui/keys/useActions";
import type { Content, EditorProps } from "../kind";
import { EditedMarks, Marks, VersionMarks } from "../Marks";
import { PictureCategoryContext } from "../PictureCategory";
import { neighbour } from "../tree";
import { boxChanges, coloursOf } from "./boxes";
import { recentLabels } from "./recentLabels";
import { boxes } from "./view";

const named = (code: string, en: string, zh: string, search: string[]) => ({
  ...{ code, definition: null, search },
  name: { en, "zh-Hans": zh, "zh-Hant": zh },
});
const categories = [
  named("lantern", "Lantern", "灯笼", ["燈籠", "lantern", "denglong", "dl"]),
  named("lion", "Lion dance", "舞狮", ["舞獅", "lion dance", "wushi", "ws"]),
  named("drum", "Drum", "鼓", ["鼓", "drum", "gu", "g"]),
];
const rules = {
  kind: "boxes",
  content: record({ boxes: keyed({ category: choice(categories), box: numbers(4) }) }),
  ...{ side_minimum: 8, duplicate_percent: 90, double_percent: 5 },
  ...{ human_checks: [], review_reasons: [], skip_reasons: [] },
} as unknown as WorkRules;
const start: Content = {
  boxes: [
    { key: "k1", category: "lion", box: [200, 200, 800, 600] },
    { key: "k2", category: "", box: [400, 400, 100, 100] },
  ],
};
const finding = (code: string, field: string, params: Finding["params"] = {}, overridable = false): Finding => ({
  ...{ code, field, params, overridable, severity: "error", spans: [] },
});
const findings = [
  finding("tiny", "boxes.k2.box", { minimum: 8 }),
  finding("duplicate", "boxes.k2.box", { other: 0 }, true),
  finding("too_few_of_main", "boxes", { count: 1, minimum: 2, category: "lion" }, true),
];

const heard = vi.fn();
const moveActions: readonly Action<{ move: (step: number) => void }>[] = [
  { name: "next", label: "next", keys: ["ArrowDown", "Enter"], inText: true, perform: (c) => c.move(1) },
];
const Picture = () => <Stage width={2000} height={1000} view="/view" clean="/clean" label="Picture" />;

function Desk({ content: first = start, findings: found = [] }: { content?: Content; findings?: readonly Finding[] }) {
  const [content, setContent] = useState(first);
  const [field, setField] = useState(() => neighbour(rules.content, first, "", 1));
  useKeyListener();
  useActions(moveActions, { move: (step) => setField(neighbour(rules.content, content, field, step)) });
  const editor: EditorProps = {
    ...{ itemId: 1, content, rules, findings: found, reasons: {}, field, onField: setField, onReason: () => undefined },
    onChange: (next) => {
      heard(next);
      setContent(next);
    },
  };
  return (
    <PictureSpace>
      <PictureCategoryContext value="lion">
        <Picture />
        <boxes.Editor {...editor} />
        <EditedMarks view={boxes} editor={editor} />
      </PictureCategoryContext>
    </PictureSpace>
  );
}

const press = (key: string, more: object = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
const input = () => screen.getByRole("combobox");
const focused = () => document.activeElement?.getAttribute("aria-label");
const counts = () => [...screen.getByTestId("box-counts").children].map((one) => one.textContent);

afterEach(() => vi.unstubAllGlobals());
beforeEach(() => {
  heard.mockClear();
  for (const code of ["drum", "lantern"]) recentLabels.use(code);
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

test("a box drawn by keys becomes content with its category; counts name the main category first", async () => {
  await renderScreen(<Desk content={{ boxes: [] }} />);
  expect(await screen.findByText("No boxes yet. Draw one on the picture, or press N.")).toBeTruthy();
  expect(counts()).toEqual(["Main: Lion dance 0"]);
  press("n");
  // The ones chosen last come first, then the picture's own.
  expect(within(screen.getByTestId("label-box")).getAllByRole("option").map((one) => one.textContent)).toEqual(["Lanternrecent", "Drumrecent", "Lion dancemain"]);
  fireEvent.change(input(), { target: { value: "wushi" } });
  press("Enter");
  const [made] = (heard.mock.lastCall as [{ boxes: { key: string }[] }])[0].boxes;
  expect(made).toEqual({ key: made?.key, category: "lion", box: [900, 400, 200, 200] });
  expect(made?.key).toMatch(/^[a-z0-9]{8}$/);
  expect(counts()).toEqual(["Main: Lion dance 1"]);
  expect(recentLabels.snapshot()[0]).toBe("lion");
});

test("the desk's keys go from category to category beside the picture, and move no box", async () => {
  await renderScreen(<Desk />);
  expect(await screen.findAllByTestId("region")).toHaveLength(2);
  expect(focused()).toBe("Change category of 1, Lion dance");
  expect(screen.getAllByTestId("region")[0]?.hasAttribute("data-selected")).toBe(true);
  press("ArrowDown");
  expect(focused()).toBe("Change category of 2, No category yet");
  expect(heard).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Change category of 2, No category yet" }));
  fireEvent.change(input(), { target: { value: "鼓" } });
  press("Enter");
  expect(counts()).toEqual(["Main: Lion dance 1", "Drum 1"]);
  expect(focused()).toBe("Change category of 2, Drum");
});

test("a press on the box whose category has the focus beside the picture only takes the focus to it", async () => {
  await renderScreen(<Desk />);
  expect(await screen.findAllByTestId("region")).toHaveLength(2);
  const press = () => {
    const svg = screen.getByTestId("stage").querySelector("svg");
    if (!svg) throw new Error("no picture is shown");
    // The frame shows 2000 × 1000 in 800 × 600: two fifths of its size, with 100 above and below.
    const place = { clientX: 240, clientY: 200, button: 0, pointerId: 1, pointerType: "mouse" };
    fireEvent.pointerDown(svg, place);
    fireEvent.pointerUp(svg, place);
  };
  press();
  expect(screen.queryByTestId("label-box")).toBeNull();
  expect(focused()).toBe("Lion dance, 1 of 2, at 200, 200, 800 by 600 pixels");
  press();
  expect(screen.getByTestId("label-box")).toBeTruthy();
});

test("a row of the list leads to its box on the picture, which the arrows move then", async () => {
  await renderScreen(<Desk />);
  fireEvent.click(await screen.findByRole("button", { name: /^2/ }));
  expect(focused()).toBe("No category yet, 2 of 2, at 400, 400, 100 by 100 pixels");
  press("ArrowDown");
  expect(heard.mock.lastCall).toEqual([{ boxes: [(start as { boxes: unknown[] }).boxes[0], { key: "k2", category: "", box: [400, 401, 100, 100] }] }]);
  fireEvent.click(screen.getByRole("button", { name: "Delete 2, No category yet" }));
  expect(heard.mock.lastCall).toEqual([{ boxes: [(start as { boxes: unknown[] }).boxes[0]] }]);
  fireEvent.click(screen.getByTestId("do-regions.undo"));
  expect(screen.getAllByTestId("region")).toHaveLength(2);
});

test("findings are below their box, those about all above; reasons are asked for once each", async () => {
  await renderScreen(<Desk findings={findings} />);
  const [first, second] = await screen.findAllByTestId("region-row");
  expect(first?.textContent).not.toContain("small");
  expect(second?.textContent).toContain("Too small: each side needs at least 8 pixels");
  expect(second?.textContent).toContain("Nearly the same place as box 1");
  expect(screen.getByText("Only 1 box of the main category “Lion dance”; this subset needs at least 2")).toBeTruthy();
  expect(screen.getByTestId("reason-duplicate")).toBeTruthy();
  expect(screen.getByTestId("reason-too_few_of_main")).toBeTruthy();
  expect(await axeFaults()).toEqual([]);
});

test("those who check read the list and see the boxes; two versions are told apart by name", async () => {
  await renderScreen(
    <PictureSpace>
      <Picture />
      <boxes.Reader content={start} rules={rules} findings={findings} reasons={{ duplicate: "two drums" }} />
      <boxes.Reader content={start} rules={rules} short />
      <p data-testid="chips">
        <boxes.RuleChips rules={rules} content={start} findings={[]} isChecked />
      </p>
      <VersionMarks view={boxes} content={{ boxes: [] }} rules={rules} name="Yours" side="mine" />
      <VersionMarks view={boxes} content={start} rules={rules} name="Theirs" side="theirs" />
    </PictureSpace>,
  );
  expect((await screen.findAllByTestId("region")).map((one) => one.getAttribute("aria-label"))).toEqual([
    "Lion dance (Theirs), 1 of 2, at 200, 200, 800 by 600 pixels",
    "No category yet (Theirs), 2 of 2, at 400, 400, 100 by 100 pixels",
  ]);
  expect(await screen.findByText("2 boxes")).toBeTruthy();
  expect(screen.getByText("Lion dance 1 · No category yet 1")).toBeTruthy();
  expect(screen.getByText("two drums")).toBeTruthy();
  expect(within(screen.getByTestId("region-list")).queryByRole("button")).toBeNull();
  // A box without a category keeps the rules from being ticked.
  expect(screen.getByTestId("chips").textContent).not.toContain("✓");
});

test("a place is named by its numbers, a field by the box's number where a version is at hand", async () => {
  const Leaf = boxes.Leaf ?? (() => null);
  await renderScreen(
    <>
      <p data-testid="names">
        <boxes.FieldName rules={rules} path="boxes.k2.category" content={start} /> | <boxes.FieldName rules={rules} path="boxes.k2.box" content={start} /> |{" "}
        <boxes.FieldName rules={rules} path="boxes.gone" content={start} />
      </p>
      <p data-testid="leaf">
        <Leaf rules={rules} leaf={{ path: "boxes.k1.box", node: numbers(4) as never, value: [1.5, 20, 30, 4000] }} />
      </p>
      <Stage width={2000} height={1000} view="/view" clean="/clean" label="Picture">
        <Marks view={boxes} content={start} rules={rules} />
      </Stage>
    </>,
  );
  await waitFor(() => expect(screen.getByTestId("names").textContent).toBe("Box 2: category | Box 2: place | Box"));
  await waitFor(() => expect(screen.getByTestId("leaf").textContent).toBe("1.5, 20 · 30 × 4,000"));
  expect((await screen.findAllByTestId("region")).map((one) => one.getAttribute("tabindex"))).toEqual([null, null]);
});

test("what a version changed is marked on the picture by a sign and a colour", async () => {
  const box = (key: string, x: number) => ({ key, category: "lion", box: [x, 20, 80, 60] });
  await renderScreen(
    <PictureSpace>
      <Picture />
      <VersionMarks
        view={boxes}
        before={{ boxes: [box("a", 10), box("b", 200), box("c", 300)] }}
        content={{ boxes: [box("a", 10), box("b", 220), box("d", 400)] }}
        rules={rules}
        name="Version 2"
        side="changes"
      />
    </PictureSpace>,
  );
  const drawn = (await screen.findAllByTestId("region")).map((one) => [one.dataset.region, one.dataset.tone, one.querySelector("text")?.textContent]);
  expect(screen.getAllByTestId("region").map((one) => one.getAttribute("aria-label")?.split(",")[0])).toEqual([
    "Lion dance: unchanged (Version 2)",
    "Lion dance: changed (Version 2)",
    "Lion dance: added (Version 2)",
    "Lion dance: deleted (Version 2)",
  ]);
  expect(drawn).toEqual([
    ["a", "muted", "1 Lion dance"],
    ["b", "warn", "2 ≠ Lion dance"],
    ["d", "good", "3 + Lion dance"],
    ["c", "bad", "4 − Lion dance"],
  ]);
});

test("two versions are summed up by what became of the boxes", async () => {
  const box = (key: string, category: string, x: number) => ({ key, category, box: [x, 20, 80, 60] });
  const before: Content = { boxes: [box("a", "lion", 10), box("b", "drum", 200), box("c", "drum", 300), box("d", "lantern", 400)] };
  const after: Content = { boxes: [box("a", "lion", 12), box("b", "lantern", 200), box("c", "lion", 305), box("e", "drum", 500), box("f", "drum", 600)] };
  expect(boxChanges(rules, before, after)).toEqual({ moved: 2, added: 2, removed: 1, renamed: 2 });
  expect(boxChanges(rules, after, after)).toEqual({ moved: 0, added: 0, removed: 0, renamed: 0 });
  const Changes = boxes.Changes ?? (() => null);
  await renderScreen(<Changes before={before} after={after} rules={rules} />);
  expect((await screen.findByTestId("box-changes")).textContent).toBe("2 boxes moved · 2 boxes added · 1 box removed · 2 boxes with another category");
});

test("categories of one picture have different colours as long as there are enough", () => {
  const many = Array.from({ length: 20 }, (_, at) => named(`c${at}`, `C${at}`, `C${at}`, []));
  // Eight apart in the list: the one that was boxed later gives way, and keeps its own where nothing has it.
  expect([...coloursOf(["c1", "c9", "c17", "c2", "c1"], many, 8)]).toEqual([["c1", 1], ["c9", 2], ["c17", 3], ["c2", 4]]);
  expect([...coloursOf(["c9"], many, 8)]).toEqual([["c9", 1]]);
  const all = coloursOf(many.map(({ code }) => code), many, 8);
  expect(new Set([...all.values()].slice(0, 8)).size).toBe(8);
  expect(all.get("c8")).toBe(0);
});
