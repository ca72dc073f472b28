/** Writing a comment. Live while the focus is in it, and then before every key of the screen around it. */
import type { Action, ScreenKeys } from "@/ui/keys";

export interface CommentContext {
  /** The cursor is in the comment. */
  isWriting: boolean;
  /** The list of people is open. */
  isMentioning: boolean;
  canSend: boolean;
  send: () => void;
  choose: () => void;
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
    // The open list handles Enter, the arrows and Escape itself; Enter is here to be printed.
    name: "comment.chooseName",
    label: "comments:action.chooseName",
    keys: ["Enter", "Tab"],
    inText: true,
    foot: true,
    keyOnly: true,
    isEnabled: (c) => c.isMentioning,
    perform: (c) => c.choose(),
  },
  {
    name: "comment.leave",
    label: "comments:action.leave",
    keys: ["Escape"],
    inText: true,
    foot: true,
    isEnabled: (c) => c.isWriting && !c.isMentioning,
    perform: (c) => c.leave(),
  },
];

const nothing = () => undefined;
const everything = { isWriting: true, send: nothing, choose: nothing, leave: nothing, canSend: true };

export const screens: readonly ScreenKeys<CommentContext>[] = [
  {
    screen: "item.comment",
    actions: commentActions,
    moments: [
      { ...everything, isMentioning: false },
      { ...everything, isMentioning: true },
    ],
  },
];
