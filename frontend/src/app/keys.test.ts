import { describe, expect, it } from "vitest";
import { clashes, isEnabled, sheetActions, type Action, type ScreenKeys } from "@/ui/keys";
import { goActions } from "./places";

/** Every module that declares a screen's keys. */
const modules = import.meta.glob<Record<string, unknown>>("../**/*ctions.ts", { eager: true });

const screens = Object.values(modules).flatMap((module) => (module.screens ?? []) as ScreenKeys<unknown>[]);

/** Live on every screen: the go keys, help and palette. Their contexts do not matter: all count as enabled. */
const everywhere: readonly Action<never>[] = [...goActions, ...sheetActions];

describe("keys", () => {
  it("are declared by every module of actions", () => {
    const silent = Object.entries(modules)
      .filter(([path]) => !path.includes("useActions"))
      .filter(([, module]) => Object.keys(module).some((name) => name.endsWith("Actions")) && module.screens === undefined)
      .map(([path]) => path);
    expect(silent).toEqual([]);
    expect(screens.length).toBeGreaterThan(4);
  });

  it.each(screens.map((screen) => [screen.screen, screen] as const))("of %s are claimed once", (_, screen) => {
    for (const moment of screen.moments) {
      const enabled = screen.actions.filter((action) => isEnabled(action, moment));
      expect(clashes([...enabled, ...(screen.beside ?? []).flat(), ...everywhere])).toEqual([]);
    }
  });

  it("have names of their own", () => {
    const names = new Map<string, Set<unknown>>();
    for (const action of [...screens.flatMap((screen) => screen.actions as readonly { name: string }[]), ...everywhere]) {
      names.set(action.name, (names.get(action.name) ?? new Set()).add(action));
    }
    expect([...names].filter(([, actions]) => actions.size > 1).map(([name]) => name)).toEqual([]);
  });
});
