import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Finding } from "@/api/types";
import { PictureSpace } from "@/picture/PictureSpace";
import { Stage } from "@/picture/Stage";
import { axeFaults } from "@/testing/axe";
import { baseOf, contentOf, groundingRules as rules } from "@/testing/grounding";
import { renderScreen } from "@/testing/render";
import { useActions, type Action } from "@/ui/keys";
import { useKeyListener } from "@/ui/keys/useActions";
import { BaseContext, type Base } from "../base";
import type { Content, EditorProps } from "../kind";
import { EditedMarks, Marks, VersionMarks } from "../Marks";
import { PictureCategoryContext } from "../PictureCategory";
import { neighbour } from "../tree";
import { begun, expressionsOf } from "./objects";
import { grounding } from "./view";

const heard = vi.fn();
const moveActions: readonly Action<{ move: (step: number) => void }>[] = [
  { name: "next", label: "next", keys: ["ArrowDown"], inText: true, perform: (c) => c.move(1) },
];
const finding = (code: string, field: string, params: Finding["params"] = {}): Finding => ({ code, field, params, overridable: false, severity: "error", spans: [] });

function Desk({ content: first = { expressions: [] }, base, findings = [] }: { content?: Content; base: Base; findings?: readonly Finding[] }) {
  const [content, setContent] = useState(() => begun(first, { rules, base, category: "panda" }));
  const [field, setField] = useState(() => neighbour(rules.content, content, "", 1));
  useKeyListener();
  useActions(moveActions, { move: (step) => setField(neighbour(rules.content, content, field, step)) });
  const editor: EditorProps = {
    ...{ itemId: 1, content, rules, findings, reasons: {}, field, onField: setField, onReason: () => undefined },
    onChange: (next) => {
      heard(next);
      setContent(next);
    },
  };
  return (
    <BaseContext value={base}>
      <PictureSpace>
        <PictureCategoryContext value="panda">
          <Stage width={2000} height={1000} view="/view" clean="/clean" label="Picture" />
          <grounding.Editor {...editor} />
          <EditedMarks view={grounding} editor={editor} />
        </PictureCategoryContext>
      </PictureSpace>
    </BaseContext>
  );
}

/** A press and release at a point of the picture, which is shown at two fifths. */
function tap(x: number, y: number) {
  const svg = document.querySelector<SVGSVGElement>(".stage-svg");
  if (svg === null) throw new Error("no picture");
  svg.setPointerCapture = () => undefined;
  const place = { button: 0, pointerId: 1, clientX: x * 0.4, clientY: 100 + y * 0.4 };
  fireEvent.pointerDown(svg, place);
  fireEvent.pointerUp(svg, place);
}
const fields = () => screen.getAllByRole<HTMLTextAreaElement>("textbox");
const focused = () => document.activeElement?.id;
const last = () => expressionsOf(rules, heard.mock.lastCall?.[0] as Content).map(({ key, text }) => `${key} ${text}`.trim());
const selected = () => screen.getAllByTestId("region").filter((one) => one.dataset.selected !== undefined).map((one) => one.dataset.region);

afterEach(() => vi.unstubAllGlobals());
beforeEach(() => {
  heard.mockClear();
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

test("each object of the main category has a field, and the one that is written is selected on the picture", async () => {
  await renderScreen(<Desk base={baseOf(3)} />);
  await waitFor(() => expect(fields().map((one) => one.getAttribute("aria-label"))).toEqual([1, 2, 3].map((n) => `Expression for object ${n}`)));
  await waitFor(() => expect(screen.getAllByTestId("region").map((one) => one.dataset.region)).toEqual(["p1", "p2", "p3"]));
  expect([focused(), selected()]).toEqual(["expression-p1", ["p1"]]);
  expect(await axeFaults()).toEqual([]);
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowDown" });
  expect([focused(), selected()]).toEqual(["expression-p2", ["p2"]]);
  fireEvent.change(fields()[1] ?? document.body, { target: { value: "抱着碗的熊猫" } });
  expect(last()).toEqual(["p1", "p2 抱着碗的熊猫", "p3"]);
  expect((heard.mock.lastCall as [{ expressions: object[] }])[0].expressions[1]).toEqual({ key: "p2", text: "抱着碗的熊猫", box: [210, 10, 100, 100] });
});

test("a press on an object goes to its field, also when another thing had the focus", async () => {
  await renderScreen(<Desk base={baseOf(3)} />);
  await waitFor(() => expect(screen.getAllByTestId("region")).toHaveLength(3));
  tap(460, 60);
  expect([focused(), selected()]).toEqual(["expression-p3", ["p3"]]);
  (document.activeElement as HTMLElement).blur();
  tap(460, 60);
  expect(focused()).toBe("expression-p3");
  tap(1500, 800);
  expect(selected()).toEqual(["p3"]);
});

test("what an input method composes stays in the field", async () => {
  await renderScreen(<Desk base={baseOf(2)} />);
  await waitFor(() => expect(fields()).toHaveLength(2));
  fireEvent.keyDown(fields()[0] ?? document.body, { key: "ArrowDown", isComposing: true });
  expect(focused()).toBe("expression-p1");
});

test("of more objects than the protocol allows as many are chosen, by a button or on the picture", async () => {
  await renderScreen(<Desk base={baseOf(6)} />);
  expect((await screen.findByTestId("choose-objects")).textContent).toBe("Choose 4 objects; 0 chosen");
  expect(screen.queryByRole("textbox")).toBeNull();
  fireEvent.click(screen.getByTestId("choose-5"));
  expect([focused(), last()]).toEqual(["expression-p5", ["p5"]]);
  tap(60, 60);
  tap(260, 100);
  tap(460, 60);
  expect(last()).toEqual(["p1", "p2", "p3", "p5"]);
  // There is room for no other.
  tap(660, 60);
  expect(last()).toEqual(["p1", "p2", "p3", "p5"]);
  expect(screen.getByTestId<HTMLButtonElement>("choose-6").disabled).toBe(true);
  expect(screen.getAllByTestId("region").map((one) => one.dataset.dashed === undefined)).toEqual([true, true, true, false, true, false]);
  fireEvent.click(screen.getByTestId("leave-out-2"));
  expect(last()).toEqual(["p1", "p3", "p5"]);
});

test("findings are sentences at the fields they concern", async () => {
  const findings = [
    finding("expressions_too_few", "expressions", { count: 2, expected: 3 }),
    finding("expression_too_short", "expressions.p1.text", { count: 1, minimum: 2 }),
    finding("expressions_equal", "expressions.p3.text", { other: 1 }),
    finding("expression_empty", "expressions.p2.text"),
  ];
  await renderScreen(<Desk base={baseOf(3)} content={contentOf("猫", "", "熊猫")} findings={findings} />);
  expect((await screen.findByTestId("finding-expressions_too_few")).textContent).toBe("2 expressions; 3 needed");
  expect(within(screen.getByTestId("object-1")).getByText("1 character; at least 2 needed")).toBeTruthy();
  expect(within(screen.getByTestId("object-3")).getByText("Same as the expression for object 2")).toBeTruthy();
  expect(screen.queryByTestId("finding-expression_empty")).toBeNull();
});

test("an object that was changed since offers its new box, one that is gone can be removed", async () => {
  const content = { expressions: [{ key: "p1", text: "左边", box: [1, 2, 3, 4] }, { key: "old", text: "没有了", box: [5, 6, 7, 8] }] };
  await renderScreen(<Desk base={baseOf(2)} content={content} />);
  const [change, gone] = await screen.findAllByTestId("object-changed");
  expect([change?.textContent, gone?.textContent]).toEqual(["Use the new box", "Remove the expression"]);
  fireEvent.click(change ?? document.body);
  expect((heard.mock.lastCall as [{ expressions: object[] }])[0].expressions[0]).toEqual({ key: "p1", text: "左边", box: [10, 10, 100, 100] });
  expect(focused()).toBe("expression-p1");
  fireEvent.click(screen.getByTestId("object-changed"));
  expect(last()).toEqual(["p1 左边", "p2"]);
});

test("without what it rests on a version is read by its own boxes; two versions are compared object by object", async () => {
  const before = contentOf("左边", "中间");
  const after = { expressions: [...contentOf("左边", "中间的").expressions, { key: "p4", text: "右边", box: [600, 10, 50, 50] }] };
  await renderScreen(
    <PictureSpace>
      <Stage width={2000} height={1000} view="/view" clean="/clean" label="Picture" />
      <grounding.Reader content={after} rules={rules} findings={[finding("object_unknown", "expressions.p4.box")]} />
      <div data-testid="short">
        <grounding.Reader content={after} rules={rules} short />
      </div>
      <p data-testid="name">
        <grounding.FieldName rules={rules} path="expressions.p4.text" content={after} />
      </p>
      <VersionMarks view={grounding} before={before} content={after} rules={rules} name="Version 2" side="changes" />
    </PictureSpace>,
  );
  expect((await screen.findByTestId("expressions")).textContent).toBe("1左边2中间的3右边This object was changed in the accepted boxes");
  await waitFor(() => expect(screen.getByTestId("short").textContent).toBe("左边+2 more"));
  expect(screen.getByTestId("name").textContent).toBe("Object 3: expression");
  await waitFor(() => expect(screen.getAllByTestId("region").map((one) => one.dataset.tone)).toEqual(["muted", "warn", "good"]));
});

test("a single object needs no number, and rules say how many expressions there are", async () => {
  await renderScreen(
    <BaseContext value={baseOf(1)}>
      <PictureCategoryContext value="panda">
        <Stage width={2000} height={1000} view="/view" clean="/clean" label="Picture">
          <Marks view={grounding} content={contentOf("熊猫")} rules={rules} />
        </Stage>
        <p data-testid="chips">
          <grounding.RuleChips rules={rules} content={contentOf("熊猫")} findings={[]} isChecked />
        </p>
        <grounding.Guide rules={rules} />
      </PictureCategoryContext>
    </BaseContext>,
  );
  expect(await screen.findAllByTestId("region")).toHaveLength(1);
  await waitFor(() => expect(screen.getByTestId("chips").textContent).toBe("✓ 1 expression✓ ≥ 2 characters✓ all different"));
  expect(screen.getByText("Each object of the main category has an expression; where there are more than 4, you choose 4")).toBeTruthy();
});
