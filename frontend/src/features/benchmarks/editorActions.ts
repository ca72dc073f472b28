import type { Action, ScreenKeys } from "@/ui/keys";

export interface EditorContext {
  hasFaults: boolean;
  canFinish: boolean;
  /** The text is proposed to others instead of adopted. */
  proposes: boolean;
  nextFault: () => void;
  finish: () => void;
}

/** The keys of a page on which a protocol's text is written. */
export const editorActions: readonly Action<EditorContext>[] = [
  {
    name: "protocol.nextFault",
    label: "benchmarks:action.nextFault",
    keys: ["Alt+n"],
    foot: true,
    isEnabled: (c) => c.hasFaults,
    perform: (c) => c.nextFault(),
  },
  {
    name: "protocol.adopt",
    label: "benchmarks:action.adopt",
    keys: ["Mod+Enter"],
    foot: true,
    isEnabled: (c) => c.canFinish && !c.proposes,
    perform: (c) => c.finish(),
  },
  {
    name: "protocol.propose",
    label: "benchmarks:action.propose",
    keys: ["Mod+Enter"],
    foot: true,
    isEnabled: (c) => c.canFinish && c.proposes,
    perform: (c) => c.finish(),
  },
];

const nothing = () => undefined;
const moment: EditorContext = { hasFaults: true, canFinish: true, proposes: false, nextFault: nothing, finish: nothing };

export const screens: readonly ScreenKeys<EditorContext>[] = [
  { screen: "protocol text", actions: editorActions, moments: [moment, { ...moment, hasFaults: false, proposes: true }] },
];
