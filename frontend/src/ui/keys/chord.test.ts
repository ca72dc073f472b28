import { describe, expect, it } from "vitest";
import { chordOf, isComposing, isTyping, keyCap, type PressedKey } from "./chord";

const press = (part: Partial<PressedKey>): PressedKey => ({ key: "a", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...part });

describe("chordOf", () => {
  it.each<[Partial<PressedKey>, boolean, string | null]>([
    [{ key: "a" }, false, "a"],
    [{ key: "A", shiftKey: true }, false, "Shift+a"],
    [{ key: "?", shiftKey: true }, false, "?"],
    [{ key: "？", shiftKey: true }, false, "?"],
    [{ key: " " }, false, "Space"],
    [{ key: "Enter", ctrlKey: true }, false, "Mod+Enter"],
    [{ key: "Enter", metaKey: true }, true, "Mod+Enter"],
    [{ key: "Enter", ctrlKey: true }, true, "Ctrl+Enter"],
    [{ key: "ArrowRight", shiftKey: true }, false, "Shift+ArrowRight"],
    [{ key: "ф", code: "KeyA" }, false, "a"],
    [{ key: "@", code: "KeyL", altKey: true }, true, "Alt+l"],
    [{ key: "Shift", shiftKey: true }, false, null],
    [{ key: "Process" }, false, null],
  ])("%o on Apple %s is %s", (event, apple, chord) => {
    expect(chordOf(press(event), apple)).toBe(chord);
  });
});

describe("isComposing", () => {
  it("is true while an input method composes, by either sign", () => {
    expect(isComposing(press({ isComposing: true }))).toBe(true);
    expect(isComposing(press({ keyCode: 229 }))).toBe(true);
    expect(isComposing(press({ keyCode: 65 }))).toBe(false);
  });
});

describe("isTyping", () => {
  it("tells characters from commands", () => {
    expect(isTyping("a")).toBe(true);
    expect(isTyping("Shift+a")).toBe(true);
    expect(isTyping("Mod+Enter")).toBe(false);
    expect(isTyping("Alt+1")).toBe(false);
  });

  it("counts undo and select-all as editing", () => {
    expect(isTyping("Mod+a")).toBe(true);
    expect(isTyping("Mod+Shift+z")).toBe(true);
  });
});

describe("keyCap", () => {
  it("prints what stands on the reader's keyboard", () => {
    expect(keyCap("Mod+Enter", "空格", false)).toBe("Ctrl ↵");
    expect(keyCap("Mod+Enter", "空格", true)).toBe("⌘↵");
    expect(keyCap("Space", "空格", false)).toBe("空格");
    expect(keyCap("a", "空格", false)).toBe("A");
    expect(keyCap("+", "空格", false)).toBe("+");
  });
});
