/**
 * The one keyboard listener of the page. Screens put layers of actions on it; a key press goes to
 * the topmost layer that has an enabled action for it. An exclusive layer (an open dialogue) hides those below.
 */
import { Store } from "@/store/store";
import { isEnabled, type Action } from "./action";
import { chordOf, isComposing, isTyping } from "./chord";

/** One action as the foot bar, the help sheet and the palette see it. */
export interface BoundAction {
  name: string;
  label: string;
  values: Readonly<Record<string, string>>;
  keys: readonly string[];
  foot: boolean;
  keyOnly: boolean;
  enabled: boolean;
  pressed: boolean | undefined;
  /** `pressed`: which of its keys, where one was. */
  perform: (pressed?: string) => void;
}

interface Layer {
  id: number;
  exclusive: boolean;
  bound: readonly (BoundAction & { inText: boolean; repeats: boolean })[];
}

/** Milliseconds in which the second chord of a sequence ("g p") must follow the first. */
const SEQUENCE_MS = 1200;

/** Its state: all actions that a key can reach now, topmost layer first. */
export class Keyboard extends Store<readonly BoundAction[]> {
  /** The actions of all layers, also those that no key reaches now. */
  readonly everywhere = new AllActions([]);
  private layers: Layer[] = [];
  private nextId = 1;
  private pending: { chord: string; until: number } | null = null;

  constructor() {
    super([]);
  }

  /**
   * A place in the stack. Taken while rendering, because parents render before their children:
   * what is inside a dialogue is above it, whatever order effects run in.
   */
  place(): number {
    return this.nextId++;
  }

  add(id: number, exclusive: boolean): void {
    this.layers = [...this.layers, { id, exclusive, bound: [] }].sort((a, b) => a.id - b.id);
  }

  bind<Context>(id: number, actions: readonly Action<Context>[], context: Context): void {
    const bound = actions.map((action) => ({
      name: action.name,
      label: action.label,
      values: action.values?.(context) ?? NO_VALUES,
      keys: action.keys,
      foot: action.foot ?? false,
      keyOnly: action.keyOnly ?? false,
      inText: action.inText ?? false,
      repeats: action.repeats ?? false,
      enabled: isEnabled(action, context),
      pressed: action.isPressed?.(context),
      perform: (pressed = action.keys[0] ?? "") => action.perform(context, pressed),
    }));
    this.layers = this.layers.map((layer) => (layer.id === id ? { ...layer, bound } : layer));
    this.changed();
  }

  remove(id: number): void {
    this.layers = this.layers.filter((layer) => layer.id !== id);
    this.changed();
  }

  /** Handles a key press; true when an action took it. */
  press(event: KeyboardEvent): boolean {
    if (event.defaultPrevented || isComposing(event)) return false;
    const chord = chordOf(event);
    if (chord === null) return false;
    const now = Date.now();
    const prefix = this.pending !== null && this.pending.until >= now ? this.pending.chord : null;
    this.pending = null;
    const typingInField = isTextField(event.target);
    const sequence = prefix === null ? chord : `${prefix} ${chord}`;
    for (const layer of this.reachable()) {
      for (const action of layer.bound) {
        if (!action.enabled) continue;
        if (typingInField && isTyping(chord) && !action.inText) continue;
        if (isNativeKey(event.target, chord)) continue;
        if (action.keys.includes(sequence)) {
          event.preventDefault();
          if (event.repeat && !action.repeats) return true;
          action.perform(sequence);
          return true;
        }
      }
    }
    if (prefix === null && !typingInField && this.startsSequence(chord)) {
      this.pending = { chord, until: now + SEQUENCE_MS };
      return true;
    }
    return false;
  }

  private startsSequence(chord: string): boolean {
    return this.snapshot().some((action) => action.enabled && action.keys.some((keys) => keys.startsWith(`${chord} `)));
  }

  private reachable(): Layer[] {
    const result: Layer[] = [];
    for (const layer of [...this.layers].reverse()) {
      result.push(layer);
      if (layer.exclusive) break;
    }
    return result;
  }

  private changed(): void {
    const next = updated(this.snapshot(), this.reachable());
    if (next) this.set(next);
    this.everywhere.update([...this.layers].reverse());
  }
}

/** The actions of all layers, topmost first: a button on the page works also while an exclusive layer beside it has the keys. */
class AllActions extends Store<readonly BoundAction[]> {
  update(layers: readonly Layer[]): void {
    const next = updated(this.snapshot(), layers);
    if (next) this.set(next);
  }
}

/**
 * What the layers bind now; null where that looks like before. Rendering again for every new closure would loop: the
 * closures are replaced, and read when a key is pressed.
 */
function updated(before: readonly BoundAction[], layers: readonly Layer[]): readonly BoundAction[] | null {
  const next = layers.flatMap((layer) => layer.bound);
  const isSame =
    next.length === before.length &&
    next.every((action, i) => {
      const old = before[i];
      return old?.name === action.name && old.enabled === action.enabled && old.pressed === action.pressed && sameText(old, action);
    });
  if (!isSame) return next.map((action) => ({ ...action }));
  before.forEach((old, i) => {
    const fresh = next[i];
    if (fresh) old.perform = fresh.perform;
  });
  return null;
}

const NO_VALUES = {};

function sameText(a: BoundAction, b: BoundAction): boolean {
  const names = Object.keys(b.values);
  return a.label === b.label && names.length === Object.keys(a.values).length && names.every((name) => a.values[name] === b.values[name]);
}

/** Whether typed characters would go into this element. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) {
    return !["checkbox", "radio", "button", "submit", "reset", "file", "range", "color", "image"].includes(target.type);
  }
  return false;
}

/** Enter and Space press the button or follow the link that has the focus; no action may take them away. */
function isNativeKey(target: EventTarget | null, chord: string): boolean {
  if (chord !== "Enter" && chord !== "Space") return false;
  if (!(target instanceof HTMLElement)) return false;
  const control = target.closest("button, a[href], summary, input, [role=button], [role=menuitem], [role=tab]");
  if (control === null) return false;
  return !(chord === "Space" && control instanceof HTMLAnchorElement);
}

export const keyboard = new Keyboard();
