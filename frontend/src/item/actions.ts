/** Writing a comment. Live while the focus is in it, and then before every key of the screen around it. */
import type { Action, ScreenKeys } from "@/ui/keys";

export interface CommentContext {
  /** The cursor stands in the comment. */
  isWriting: boolean;
  /** The list of people stands open under the cursor. */
  isNaming: boolean;
  canSend: boolean;
  send: () => void;
  move: (step: 1 | -1) => void;
  pick: () => void;
  closeNames: () => void;
  leave: () => void;
}

export const commentActions: readonly Action<CommentContext>[] = [
  {
    name: "comment.send",
    label: "comments:action.send",
    keys: ["Mod+Enter"],
    foot: true,
    isEnabled: (c) => c.canSend,
    perform: (c) => c.send(),
  },
  {
    name: "comment.nextName",
    label: "comments:action.nextName",
    keys: ["ArrowDown"],
    inText: true,
    repeats: true,
    keyOnly: true,
    isEnabled: (c) => c.isNaming,
    perform: (c) => c.move(1),
  },
  {
    name: "comment.previousName",
    label: "comments:action.previousName",
    keys: ["ArrowUp"],
    inText: true,
    repeats: true,
    keyOnly: true,
    isEnabled: (c) => c.isNaming,
    perform: (c) => c.move(-1),
  },
  {
    name: "comment.pickName",
    label: "comments:action.pickName",
    keys: ["Enter", "Tab"],
    inText: true,
    foot: true,
    keyOnly: true,
    isEnabled: (c) => c.isNaming,
    perform: (c) => c.pick(),
  },
  {
    name: "comment.closeNames",
    label: "comments:action.closeNames",
    keys: ["Escape"],
    inText: true,
    keyOnly: true,
    isEnabled: (c) => c.isNaming,
    perform: (c) => c.closeNames(),
  },
  {
    name: "comment.leave",
    label: "comments:action.leave",
    keys: ["Escape"],
    inText: true,
    foot: true,
    isEnabled: (c) => c.isWriting && !c.isNaming,
    perform: (c) => c.leave(),
  },
];

const nothing = () => undefined;
const everything = { isWriting: true, send: nothing, move: nothing, pick: nothing, closeNames: nothing, leave: nothing, canSend: true };

export const screens: readonly ScreenKeys<CommentContext>[] = [
  {
    screen: "item.comment",
    actions: commentActions,
    moments: [
      { ...everything, isNaming: false },
      { ...everything, isNaming: true },
    ],
  },
];
