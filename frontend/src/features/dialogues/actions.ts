/** What people can do in the lobby and in a dialogue. */
import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";

export interface LobbyContext {
  /** Each null where it cannot be done now. */
  wait: (() => void) | null;
  stop: (() => void) | null;
  acknowledge: (() => void) | null;
  leave: () => void;
}

export const lobbyActions: readonly Action<LobbyContext>[] = [
  { name: "lobby.wait", label: "dialogues:lobby.wait", keys: ["Enter"], foot: true, isEnabled: (c) => c.wait !== null, perform: (c) => c.wait?.() },
  { name: "lobby.stop", label: "dialogues:lobby.stop", keys: ["x"], foot: true, isEnabled: (c) => c.stop !== null, perform: (c) => c.stop?.() },
  { name: "lobby.acknowledge", label: "guidelines:action.acknowledge", keys: ["Alt+a"], foot: true, isEnabled: (c) => c.acknowledge !== null, perform: (c) => c.acknowledge?.() },
  { name: "lobby.leave", label: "dialogues:lobby.leave", keys: ["Escape"], perform: (c) => c.leave() },
];

export interface ChatContext {
  /** Each null where it cannot be done now. */
  send: (() => void) | null;
  write: (() => void) | null;
  pause: (() => void) | null;
  resume: (() => void) | null;
  leave: (() => void) | null;
  toLobby: () => void;
}

export const chatActions: readonly Action<ChatContext>[] = [
  { name: "chat.send", label: "dialogues:chat.send", keys: ["Enter"], inText: true, foot: true, isEnabled: (c) => c.send !== null, perform: (c) => c.send?.() },
  { name: "chat.write", label: "dialogues:chat.write", keys: ["w"], foot: true, isEnabled: (c) => c.write !== null, perform: (c) => c.write?.() },
  { name: "chat.pause", label: "dialogues:chat.pause", keys: ["Alt+p"], foot: true, isEnabled: (c) => c.pause !== null, perform: (c) => c.pause?.() },
  { name: "chat.resume", label: "dialogues:chat.resume", keys: ["Alt+r"], foot: true, isEnabled: (c) => c.resume !== null, perform: (c) => c.resume?.() },
  { name: "chat.leave", label: "dialogues:chat.leave", keys: ["Alt+l"], isEnabled: (c) => c.leave !== null, perform: (c) => c.leave?.() },
  { name: "chat.toLobby", label: "dialogues:chat.toLobby", keys: ["Escape"], perform: (c) => c.toLobby() },
];

/** The question why a dialogue is left is open. */
export interface LeavingContext {
  confirm: (() => void) | null;
  cancel: () => void;
}

export const leavingActions: readonly Action<LeavingContext>[] = [
  { name: "leaving.confirm", label: "dialogues:leave.confirm", keys: ["Mod+Enter"], foot: true, isEnabled: (c) => c.confirm !== null, perform: (c) => c.confirm?.() },
  { name: "leaving.cancel", label: "dialogues:leave.cancel", keys: ["Escape"], perform: (c) => c.cancel() },
];

const nothing = () => undefined;
const lobby: LobbyContext = { wait: null, stop: null, acknowledge: null, leave: nothing };
const chat: ChatContext = { send: nothing, write: nothing, pause: nothing, resume: null, leave: nothing, toLobby: nothing };

export const screens: readonly [ScreenKeys<LobbyContext>, ScreenKeys<ChatContext>, ScreenKeys<LeavingContext>] = [
  {
    screen: "dialogues.lobby",
    actions: lobbyActions,
    moments: [
      { ...lobby, wait: nothing },
      { ...lobby, stop: nothing },
      { ...lobby, acknowledge: nothing },
    ],
  },
  {
    screen: "dialogues.chat",
    actions: chatActions,
    moments: [chat, { ...chat, send: null, write: null, pause: null, resume: nothing }],
    beside: [stageActions],
  },
  { screen: "dialogues.leaving", actions: leavingActions, moments: [{ confirm: nothing, cancel: nothing }] },
];
