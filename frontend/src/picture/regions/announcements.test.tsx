import { act, fireEvent, screen, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { useKeyListener } from "@/ui/keys/useActions";
import { MarkVersion } from "../MarkVersion";
import { PictureSpace } from "../PictureSpace";
import { Stage } from "../Stage";
import type { LabelChoice } from "./labels";
import { RegionLayer } from "./RegionLayer";
import { RegionList } from "./RegionList";
import type { Region } from "./regions";

const picture = { width: 2000, height: 1000 };
const choices: readonly LabelChoice[] = [
  { code: "lion", name: "Lion dance", search: ["wushi"] },
  { code: "drum", name: "Drum", search: ["gu"] },
];
const nameOf = ({ label = "" }: Region) => choices.find(({ code }) => code === label)?.name ?? "No label";
const three: readonly Region[] = [
  { key: "a", box: [100, 500, 80, 60], label: "lion" },
  { key: "b", box: [300, 500, 80, 60], label: "lion" },
  { key: "c", box: [500, 500, 80, 60], label: "drum" },
];

function Page() {
  const [regions, setRegions] = useState(three);
  const [selected, setSelected] = useState<string | null>(null);
  useKeyListener();
  return (
    <PictureSpace>
      <Stage {...picture} view="/view" clean="/clean" label="Picture">
        <RegionLayer
          mode="edit"
          regions={regions}
          picture={picture}
          nameOf={nameOf}
          selected={selected}
          onSelect={setSelected}
          onChange={setRegions}
          create={(key, box) => ({ key, box, label: "" })}
          labels={{ choices, recent: ["lion"], onUsed: () => undefined }}
        />
      </Stage>
      {regions.length > 0 && (
        <RegionList regions={regions} label="Boxes" nameOf={nameOf} onSelect={setSelected} onRemove={(key) => setRegions(regions.filter((region) => region.key !== key))} />
      )}
      <button onClick={() => setRegions(three.map((region) => (region.key === "c" ? { ...region, label: "lion" } : region)))}>Relabel</button>
      <button onClick={() => setRegions([])}>Clear</button>
    </PictureSpace>
  );
}

const press = (key: string, more: object = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
const said = () => screen.getAllByRole("status")[0]?.textContent;
const focusOn = (key: string) => act(() => document.querySelector<SVGGElement>(`[data-region="${key}"]`)?.focus());
const layer = () => screen.getByRole("application");

afterEach(() => vi.unstubAllGlobals());
beforeEach(() =>
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
  ),
);

test("each change by keys is announced, undoing and redoing by what they did", async () => {
  await renderScreen(<Page />);
  focusOn("a");
  press("d", { ctrlKey: true });
  expect(said()).toBe("Lion dance duplicated");
  press("Delete");
  expect(said()).toBe("Lion dance deleted, 3 boxes left");
  press("z", { ctrlKey: true });
  expect(said()).toBe("Undone. Lion dance added, 4 boxes now");
  press("z", { ctrlKey: true, shiftKey: true });
  expect(said()).toBe("Redone. Lion dance deleted, 3 boxes left");
  focusOn("c");
  press("r");
  expect(said()).toBe("Label: Lion dance");
  press("z", { ctrlKey: true });
  expect(said()).toBe("Undone. Label: Drum");
  focusOn("b");
  press("ArrowUp");
  expect(said()).toBe("At 300, 499, 80 by 60 pixels");
  press("z", { ctrlKey: true });
  press("z", { ctrlKey: true, shiftKey: true });
  expect(said()).toBe("Redone. At 300, 499, 80 by 60 pixels");
  press("n");
  expect(said()).toBe("New box. At 900, 400, 200 by 200 pixels");
});

test("the same words again are another text, so that they are announced again", async () => {
  await renderScreen(<Page />);
  focusOn("a");
  press("d", { ctrlKey: true });
  const before = said();
  press("d", { ctrlKey: true });
  expect(said()?.trim()).toBe("Lion dance duplicated");
  expect(said()).not.toBe(before);
});

test("a single change beside the picture is announced, another content is not", async () => {
  await renderScreen(<Page />);
  fireEvent.click(screen.getByText("Relabel"));
  expect(said()).toBe("Label: Lion dance");
  fireEvent.click(screen.getByText("Clear"));
  expect(said()).toBe("Label: Lion dance");
});

test("the focus stays at the picture when undoing takes the region that has it", async () => {
  await renderScreen(<Page />);
  focusOn("a");
  press("d", { ctrlKey: true });
  expect(document.activeElement).not.toBe(layer());
  press("z", { ctrlKey: true });
  expect(document.activeElement).toBe(layer());
});

test("a row that is removed by its button leaves the focus to the next one, the last one to the picture", async () => {
  await renderScreen(<Page />);
  const remove = (at: number) => {
    const row = screen.getAllByTestId("region-row")[at];
    if (!row) throw new Error("no row");
    const button = within(row).getByRole("button", { name: /^Delete/ });
    button.focus();
    fireEvent.click(button);
    return document.activeElement?.getAttribute("aria-label");
  };
  expect(remove(1)).toBe("Delete 2, Drum");
  expect(said()).toBe("Lion dance deleted, 2 boxes left");
  expect(remove(1)).toBe("Delete 1, Lion dance");
  remove(0);
  expect(document.activeElement).toBe(layer());
});

test("how many labels match is announced, and that none does", async () => {
  await renderScreen(<Page />);
  focusOn("a");
  press("Enter");
  const status = () => within(screen.getByTestId("label-box")).getByRole("status").textContent;
  expect(status()).toBe("");
  fireEvent.change(screen.getByRole("combobox"), { target: { value: "u" } });
  expect(status()).toBe("2 labels");
  fireEvent.change(screen.getByRole("combobox"), { target: { value: "xyz" } });
  expect(status()).toBe("No label matches");
});

test("names stay on the picture, and those of two versions apart", async () => {
  const top: Region = { key: "t", box: [100, 10, 200, 300], label: "drum" };
  const low: Region = { key: "l", box: [100, 400, 200, 300], label: "drum" };
  const drawn = (side: "mine" | "theirs") => (
    <MarkVersion name={side} side={side}>
      <RegionLayer mode="show" regions={[top, low]} picture={picture} nameOf={nameOf} />
    </MarkVersion>
  );
  await renderScreen(
    <Stage {...picture} view="/view" clean="/clean" label="Picture">
      {drawn("mine")}
      {drawn("theirs")}
    </Stage>,
  );
  const places = (await screen.findAllByTestId("region")).map((one) => {
    const text = one.querySelector("text");
    return [text?.parentElement?.getAttribute("transform"), Number(text?.getAttribute("y"))];
  });
  expect(places).toEqual([
    // Below the upper edge where there is no room above, else above it; the second version's at its lower edge.
    ["translate(100 10)", 16],
    ["translate(100 400)", -5],
    ["translate(100 310)", -5],
    ["translate(100 700)", -5],
  ]);
});
