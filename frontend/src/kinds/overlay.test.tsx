/** The picture layer of kinds, with a toy kind: one point that is typed as numbers or put on the picture. */
import { act, fireEvent, screen } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WorkRules } from "@/api/types";
import { OnPicture, PictureSpace } from "@/picture/PictureSpace";
import { PointMark } from "@/picture/PointMark";
import { Stage } from "@/picture/Stage";
import { axeFaults } from "@/testing/axe";
import { numbers, record } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { useActions, type Action } from "@/ui/keys";
import { useKeyListener } from "@/ui/keys/useActions";
import type { Content, EditorProps, KindView, OverlayProps } from "./kind";
import { EditedMarks, ItemImageMarks, Marks, VersionMarks } from "./Marks";
import { get, set } from "./tree";

const rules = { content: record({ spot: numbers(2) }) } as WorkRules;
const picture = { width: 2000, height: 1000 };
const spotOf = (content: Content) => get(rules.content, content, "spot") as number[];
const image = { id: 1, label: "img-000001", ...picture, view_url: "/view", clean_url: "/clean", redaction_no: 0, thumb_url: "/thumb", category: null };

function SpotEditor({ content, onChange, field, onField }: EditorProps) {
  return (
    <>
      <input
        aria-label="x"
        data-focused={field === "spot"}
        value={spotOf(content)[0] ?? ""}
        onFocus={() => onField("x")}
        onChange={(event) => onChange(set(rules.content, content, "spot", [Number(event.target.value), spotOf(content)[1] ?? 0]))}
      />
    </>
  );
}
function SpotOverlay({ content, picture: size, editor, isRevealed }: OverlayProps) {
  const [x, y] = spotOf(content);
  const at = x === undefined || y === undefined ? null : { x, y };
  if (!isRevealed) return null;
  return (
    <PointMark
      at={at}
      label="Spot"
      picture={size}
      editor={
        editor && {
          isSelected: editor.field === "spot",
          onSelect: () => editor.onField("spot"),
          onMove: (to) => editor.onChange(set(rules.content, content, "spot", [to.x, to.y])),
          movesOnTap: true,
        }
      }
    />
  );
}
const nothing = () => null;
const toy: KindView = { Editor: SpotEditor, Reader: nothing, Overlay: SpotOverlay, RuleChips: nothing, Guide: nothing, FieldName: nothing, instructionKey: "" };

const Picture = ({ children }: { children?: ReactNode }) => (
  <Stage {...picture} view="/view" clean="/clean" label="Picture img-000001">
    {children}
  </Stage>
);
const fieldActions: readonly Action<{ next: () => void }>[] = [
  { name: "next", label: "next", keys: ["ArrowDown", "Enter"], inText: true, perform: (c) => c.next() },
];

const heard = vi.fn();
const next = vi.fn();
function Desk({ start, field: first = "spot" }: { start: Content; field?: string }) {
  const [content, setContent] = useState(start);
  const [field, setField] = useState(first);
  useKeyListener();
  useActions(fieldActions, { next });
  const onChange = (changed: Content) => {
    heard(changed.spot);
    setContent(changed);
  };
  const editor: EditorProps = { itemId: 1, content, rules, findings: [], reasons: {}, field, onField: setField, onChange, onReason: () => undefined };
  return (
    <PictureSpace>
      <Picture />
      <SpotEditor {...editor} />
      <EditedMarks view={toy} editor={editor} />
    </PictureSpace>
  );
}
const mark = () => screen.getByTestId("mark");
function svg(): SVGSVGElement {
  const found = screen.getByTestId("stage").querySelector("svg");
  if (!found) throw new Error("no picture is shown");
  return found;
}
const place = (x: number, y: number) => ({ clientX: x, clientY: y, button: 0, pointerId: 1 });
function press(x: number, y: number, to = { x, y }) {
  fireEvent.pointerDown(svg(), place(x, y));
  fireEvent.pointerMove(svg(), place(to.x, to.y));
  fireEvent.pointerUp(svg(), place(to.x, to.y));
}

afterEach(() => vi.unstubAllGlobals());
beforeEach(() => {
  heard.mockClear();
  next.mockClear();
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

test("a press on the picture puts the point there, in pixels of the picture, at every zoom", async () => {
  await renderScreen(<Desk start={{ spot: [] }} />);
  // 2000 × 1000 in a frame of 800 × 600: two fifths of its size, with 100 above and below.
  press(200, 200);
  expect(heard).toHaveBeenLastCalledWith([500, 250]);
  expect(screen.getByLabelText<HTMLInputElement>("x").value).toBe("500");
  expect(document.activeElement).toBe(mark());
  fireEvent.click(screen.getByRole("button", { name: "Zoom in" }));
  press(400, 300);
  press(460, 300);
  expect(heard.mock.calls.slice(1)).toEqual([[[1000, 500]], [[1100, 500]]]);
  expect(mark().getAttribute("transform")).toBe("translate(1100 500)");
  expect(Number(svg().querySelector<SVGGElement>("[style]")?.style.getPropertyValue("--pixel"))).toBeCloseTo(1 / 0.6);
});

test("dragging the picture pans and does not move the point, nor does a press beside the picture", async () => {
  await renderScreen(<Desk start={{ spot: [10, 20] }} />);
  press(200, 200, { x: 260, y: 200 });
  press(200, 20);
  expect(heard).not.toHaveBeenCalled();
});

test("dragging the point moves it and not the picture; the content changes once", async () => {
  await renderScreen(<Desk start={{ spot: [500, 250] }} />);
  const before = svg().getAttribute("viewBox");
  mark().setPointerCapture = () => undefined;
  mark().hasPointerCapture = () => true;
  fireEvent.pointerDown(mark(), place(200, 200));
  for (const x of [220, 260, 300]) fireEvent.pointerMove(mark(), place(x, 240));
  expect(mark().getAttribute("transform")).toBe("translate(750 350)");
  fireEvent.pointerUp(mark(), place(300, 240));
  expect(heard.mock.calls).toEqual([[[750, 350]]]);
  expect(svg().getAttribute("viewBox")).toBe(before);
});

test("arrow keys move the point and not the focus of the desk, never off the picture", async () => {
  await renderScreen(<Desk start={{ spot: [5, 998.5] }} />);
  expect(document.activeElement).toBe(mark());
  fireEvent.keyDown(mark(), { key: "ArrowRight" });
  fireEvent.keyDown(mark(), { key: "ArrowLeft", shiftKey: true });
  fireEvent.keyDown(mark(), { key: "ArrowDown" });
  fireEvent.keyDown(mark(), { key: "ArrowDown" });
  expect(heard.mock.calls).toEqual([[[6, 998.5]], [[0, 998.5]], [[0, 999.5]], [[0, 1000]]]);
  expect(next).not.toHaveBeenCalled();
  expect(mark().getAttribute("aria-valuetext")).toBe("0, 1,000");
  // Enter means nothing to a point that has its place: the desk goes on with it.
  fireEvent.keyDown(mark(), { key: "Enter" });
  expect(next).toHaveBeenCalledOnce();
});

test("a point without a place waits in the middle, where Enter puts it", async () => {
  await renderScreen(<Desk start={{ spot: [] }} field="x" />);
  expect(document.activeElement).not.toBe(mark());
  expect(mark().getAttribute("aria-valuetext")).toBe("Not placed yet");
  act(() => mark().focus());
  expect(screen.getByLabelText("x").dataset.focused).toBe("true");
  fireEvent.keyDown(mark(), { key: "Enter" });
  expect(heard.mock.calls).toEqual([[[1000, 500]]]);
  expect(await axeFaults()).toEqual([]);
});

test("where nobody edits, marks are pictures with a name: on a stage, by version, and over an image", async () => {
  const item = { content: { spot: [1500, 250] }, state: "made" as const, language: null, image };
  await renderScreen(
    <>
      <PictureSpace>
        <Picture>
          <Marks view={toy} content={{ spot: [1, 2] }} rules={rules} />
          <Marks view={toy} content={{ spot: [7, 7] }} rules={rules} isRevealed={false} />
          <Marks view={toy} content={{ spot: [] }} rules={rules} />
        </Picture>
        <VersionMarks view={toy} content={{ spot: [3, 4] }} rules={rules} name="Theirs" side="theirs" />
      </PictureSpace>
      <ItemImageMarks item={item} view={toy} rules={rules} fit="cover" />
      <ItemImageMarks item={{ ...item, state: "skipped" }} view={toy} rules={rules} fit="contain" />
    </>,
  );
  const names = screen.getAllByTestId("mark").map((one) => [one.getAttribute("role"), one.getAttribute("aria-label"), one.getAttribute("tabindex")]);
  expect(names).toEqual([
    ["img", "Spot, at 1, 2", null],
    ["img", "Spot (Theirs), at 3, 4", null],
    ["img", "Spot, at 1,500, 250", null],
  ]);
  const image800 = document.querySelector<SVGGElement>(".image-marks g");
  expect(Number(image800?.style.getPropertyValue("--pixel"))).toBeCloseTo(1 / 0.6);
});

test("a kind without marks renders nothing on the picture, and nothing beside it renders again", async () => {
  const text: KindView = { Editor: nothing, Reader: nothing, RuleChips: nothing, Guide: nothing, FieldName: nothing, instructionKey: "" };
  const beside = vi.fn(() => null);
  const Beside = beside as () => ReactNode;
  await renderScreen(
    <PictureSpace>
      <Picture>
        <Marks view={text} content={{}} rules={rules} />
      </Picture>
      <Beside />
      <EditedMarks view={text} editor={{ content: {}, rules } as EditorProps} />
    </PictureSpace>,
  );
  const rendered = beside.mock.calls.length;
  fireEvent.click(screen.getByRole("button", { name: "Zoom in" }));
  expect(beside).toHaveBeenCalledTimes(rendered);
  expect(screen.queryByTestId("mark")).toBeNull();
});

test("without a picture beside it, an editor is only fields", async () => {
  await renderScreen(<OnPicture>{<circle data-testid="mark" />}</OnPicture>);
  expect(screen.queryByTestId("mark")).toBeNull();
});
