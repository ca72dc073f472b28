/**
 * An action is one thing a person can do on a screen. Its key binding, the bar at the foot of
 * the screen, the help sheet and the command palette are all printed from the same object.
 */

export interface Action<Context> {
  /** Stable and unique over the project: "images.accept". */
  readonly name: string;
  /** Translation key with its namespace: "images:action.accept". */
  readonly label: string;
  /** What the label fills in: the name of the thing it is about. */
  values?(context: Context): Readonly<Record<string, string>>;
  /** Chords or sequences (see chord.ts); the first is the one that is printed. */
  readonly keys: readonly string[];
  /** Fires inside text fields too. Chords with Mod or Alt do so anyway. */
  readonly inText?: boolean;
  /** Printed at the foot of the screen. */
  readonly foot?: boolean;
  /** Kept out of the palette: an action that makes no sense without its key (moving a selection). */
  readonly keyOnly?: boolean;
  /** Holding the key down repeats it; otherwise auto-repeat is ignored. */
  readonly repeats?: boolean;
  isEnabled?(context: Context): boolean;
  /** For an action that opens and closes something: whether it is open. */
  isPressed?(context: Context): boolean;
  /** `keys` is the one of its keys that was pressed, for an action that does the same in several directions. */
  perform(context: Context, keys: string): void;
}

/**
 * The keys of one screen, for the test that no two enabled actions claim one key.
 * `moments` are contexts in which the screen can be; `beside` are sets that are live at the same time.
 */
export interface ScreenKeys<Context> {
  readonly screen: string;
  readonly actions: readonly Action<Context>[];
  readonly moments: readonly Context[];
  readonly beside?: readonly (readonly Action<never>[])[];
}

export function isEnabled<Context>(action: Action<Context>, context: Context): boolean {
  return action.isEnabled?.(context) ?? true;
}

interface Clash {
  keys: string;
  actions: [string, string];
}

/** Pairs of enabled actions that claim the same chord, or a chord that another's sequence begins with. */
export function clashes(claims: readonly { name: string; keys: readonly string[] }[]): Clash[] {
  const found: Clash[] = [];
  claims.forEach((a, index) => {
    for (const b of claims.slice(index + 1)) {
      for (const mine of a.keys) {
        for (const theirs of b.keys) {
          if (mine === theirs || mine.startsWith(`${theirs} `) || theirs.startsWith(`${mine} `)) {
            found.push({ keys: mine, actions: [a.name, b.name] });
          }
        }
      }
    }
  });
  return found;
}
