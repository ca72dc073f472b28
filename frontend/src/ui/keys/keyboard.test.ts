// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Action } from "./action";
import { Keyboard } from "./keyboard";

let keyboard: Keyboard;
const done: string[] = [];

function action(name: string, keys: string[], more: Partial<Action<null>> = {}): Action<null> {
  return { name, label: name, keys, perform: () => done.push(name), ...more };
}

function layer(actions: Action<null>[], exclusive = false): number {
  const id = keyboard.place();
  keyboard.add(id, exclusive);
  keyboard.bind(id, actions, null);
  return id;
}

/** `legacyCode` is what older engines report as 229 while composing. */
function press({ legacyCode, ...init }: KeyboardEventInit & { legacyCode?: number }, target: EventTarget = document.body): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init });
  Object.defineProperty(event, "target", { value: target });
  if (legacyCode !== undefined) Object.defineProperty(event, "keyCode", { value: legacyCode });
  keyboard.press(event);
  return event;
}

beforeEach(() => {
  keyboard = new Keyboard();
  done.length = 0;
});

describe("Keyboard", () => {
  it("performs the enabled action of a key and keeps the key from the browser", () => {
    layer([action("accept", ["a"])]);
    expect(press({ key: "a" }).defaultPrevented).toBe(true);
    expect(done).toEqual(["accept"]);
  });

  it("does nothing while an input method composes", () => {
    layer([action("submit", ["Mod+Enter"], { inText: true }), action("accept", ["a"])]);
    press({ key: "Enter", ctrlKey: true, isComposing: true });
    press({ key: "a", legacyCode: 229 });
    expect(done).toEqual([]);
  });

  it("leaves letters to text fields but not commands", () => {
    layer([action("accept", ["a"]), action("submit", ["Mod+Enter"]), action("leave", ["Escape"], { inText: true })]);
    const field = document.createElement("textarea");
    expect(press({ key: "a" }, field).defaultPrevented).toBe(false);
    press({ key: "Enter", ctrlKey: true }, field);
    press({ key: "Escape" }, field);
    expect(done).toEqual(["submit", "leave"]);
  });

  it("leaves Enter and Space to the button that has the focus", () => {
    layer([action("open", ["Space"]), action("first", ["Enter"])]);
    const button = document.createElement("button");
    press({ key: " " }, button);
    press({ key: "Enter" }, button);
    expect(done).toEqual([]);
  });

  it("ignores disabled actions and lets the key through", () => {
    layer([action("accept", ["a"], { isEnabled: () => false })]);
    expect(press({ key: "a" }).defaultPrevented).toBe(false);
    expect(done).toEqual([]);
  });

  it("asks the topmost layer first, and an exclusive one hides those below", () => {
    const below = layer([action("below", ["a", "b"])]);
    const above = layer([action("above", ["a"])], true);
    press({ key: "a" });
    press({ key: "b" });
    expect(done).toEqual(["above"]);
    expect(keyboard.snapshot().map((one) => one.name)).toEqual(["above"]);
    keyboard.remove(above);
    press({ key: "b" });
    expect(done).toEqual(["above", "below"]);
    keyboard.remove(below);
  });

  it("takes the second key of a sequence within its time only", () => {
    vi.useFakeTimers();
    layer([action("packages", ["g p"]), action("clear", ["p"])]);
    press({ key: "g" });
    press({ key: "p" });
    press({ key: "g" });
    vi.advanceTimersByTime(2000);
    press({ key: "p" });
    vi.useRealTimers();
    expect(done).toEqual(["packages", "clear"]);
  });

  it("repeats a held key only where the action wants it", () => {
    layer([action("accept", ["a"]), action("right", ["ArrowRight"], { repeats: true })]);
    press({ key: "a", repeat: true });
    press({ key: "ArrowRight", repeat: true });
    expect(done).toEqual(["right"]);
  });

  it("tells listeners of changes that show, and of no others", () => {
    const heard = vi.fn();
    keyboard.subscribe(heard);
    const id = layer([action("accept", ["a"])]);
    const count = heard.mock.calls.length;
    keyboard.bind(id, [action("accept", ["a"])], null);
    expect(heard).toHaveBeenCalledTimes(count);
    keyboard.bind(id, [action("accept", ["a"], { isEnabled: () => false })], null);
    expect(heard).toHaveBeenCalledTimes(count + 1);
  });
});
