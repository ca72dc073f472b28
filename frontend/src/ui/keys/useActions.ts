import { useLayoutEffect, useState } from "react";
import { useStore } from "@/store/useStore";
import type { Action } from "./action";
import { noteComposition } from "./keepFocus";
import { keyboard, type BoundAction } from "./keyboard";

/**
 * Binds a screen's actions while the component is mounted. Call it once per set; the context may be a
 * fresh object at every render. `exclusive` hides the keys of everything below (dialogues).
 */
export function useActions<Context>(
  actions: readonly Action<Context>[],
  context: Context,
  { exclusive = false }: { exclusive?: boolean } = {},
): void {
  const [layer] = useState(() => keyboard.place());
  useLayoutEffect(() => {
    keyboard.add(layer, exclusive);
    return () => keyboard.remove(layer);
  }, [layer, exclusive]);
  useLayoutEffect(() => keyboard.bind(layer, actions, context));
}

/** The actions that keys can reach now, for everything that lists them. */
export function useBoundActions(): readonly BoundAction[] {
  return useStore(keyboard);
}

/** The actions of every layer, topmost first, for buttons that stay on the page. */
export function useAllActions(): readonly BoundAction[] {
  return useStore(keyboard.everywhere);
}

/** Attaches the page's one key listener, before the page is painted: from then on a key may be pressed. */
export function useKeyListener(): void {
  useLayoutEffect(() => {
    const isCommand = (event: KeyboardEvent) => event.ctrlKey || event.metaKey;
    // Commands come before the component that has the focus (a closed list would open on Ctrl+Enter);
    // plain keys come after it, so that an open menu keeps its arrows.
    const before = (event: KeyboardEvent) => {
      if (isCommand(event) && keyboard.press(event)) event.stopPropagation();
    };
    const after = (event: KeyboardEvent) => {
      if (!isCommand(event)) keyboard.press(event);
    };
    document.addEventListener("keydown", before, { capture: true });
    document.addEventListener("keydown", after);
    document.addEventListener("compositionstart", noteComposition);
    document.addEventListener("compositionend", noteComposition);
    return () => {
      document.removeEventListener("keydown", before, { capture: true });
      document.removeEventListener("keydown", after);
      document.removeEventListener("compositionstart", noteComposition);
      document.removeEventListener("compositionend", noteComposition);
    };
  }, []);
}
