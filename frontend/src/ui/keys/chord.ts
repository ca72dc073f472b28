/**
 * A chord is one key press written as text: "a", "Shift+ArrowRight", "Mod+Enter", "?".
 * Mod is ⌘ on Apple keyboards and Ctrl elsewhere. A sequence is chords parted by spaces: "g p".
 */

export interface PressedKey {
  key: string;
  code?: string | undefined;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  isComposing?: boolean | undefined;
  keyCode?: number | undefined;
}

/** True while an input method composes: no key means a command then. 229 is what older engines send instead. */
export function isComposing(event: PressedKey): boolean {
  return event.isComposing === true || event.keyCode === 229;
}

const FULL_WIDTH: Readonly<Record<string, string>> = { "？": "?", "／": "/", "　": "Space", " ": "Space" };

/** The chord of a key press, or null for a bare modifier. */
export function chordOf(event: PressedKey, apple = isApple()): string | null {
  let key = FULL_WIDTH[event.key] ?? event.key;
  if (["Shift", "Control", "Alt", "Meta", "CapsLock", "Dead", "Process", "Unidentified"].includes(key)) return null;
  const letter = /^Key([A-Z])$/.exec(event.code ?? "")?.[1];
  // On a Cyrillic or Greek layout the letter's place on the keyboard decides, also with Alt, which types signs on Apple's.
  if (letter !== undefined && (event.altKey || key.length !== 1 || key.charCodeAt(0) > 0x7f)) key = letter;
  const isLetter = /^[A-Za-z]$/.test(key);
  if (isLetter) key = key.toLowerCase();
  const mod = apple ? event.metaKey : event.ctrlKey;
  const otherControl = apple ? event.ctrlKey : event.metaKey;
  const parts: string[] = [];
  if (mod) parts.push("Mod");
  if (otherControl) parts.push(apple ? "Ctrl" : "Meta");
  if (event.altKey) parts.push("Alt");
  // Shift is part of how "?" is typed, so it counts for letters and named keys only.
  if (event.shiftKey && (isLetter || key.length > 1)) parts.push("Shift");
  parts.push(key);
  return parts.join("+");
}

/** Copying, pasting, undoing and selecting text. */
const EDITING = new Set(["Mod+a", "Mod+c", "Mod+v", "Mod+x", "Mod+y", "Mod+z", "Mod+Shift+z"]);

/** Whether the chord writes or edits text, so that it belongs to a text field while one has the focus. */
export function isTyping(chord: string): boolean {
  return EDITING.has(chord) || !/(^|\+)(Mod|Ctrl|Meta|Alt)\+/.test(chord);
}

function isApple(): boolean {
  return typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);
}

const SYMBOLS: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Enter: "↵",
  Escape: "Esc",
  Backspace: "⌫",
  Delete: "Del",
  PageUp: "PgUp",
  PageDown: "PgDn",
};

/** What is printed on the key cap. `space` is the reader's word for the space bar. */
export function keyCap(chord: string, space: string, apple = isApple()): string {
  const parts = chord.split("+").filter((part) => part !== "");
  if (chord.endsWith("+")) parts.push("+");
  return parts
    .map((part) => {
      if (part === "Mod") return apple ? "⌘" : "Ctrl";
      if (part === "Alt") return apple ? "⌥" : "Alt";
      if (part === "Shift") return "⇧";
      if (part === "Space") return space;
      if (/^[a-z]$/.test(part)) return part.toUpperCase();
      return SYMBOLS[part] ?? part;
    })
    .join(apple ? "" : " ");
}
