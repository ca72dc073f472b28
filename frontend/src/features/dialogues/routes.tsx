import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/write/dialogue", lazy: async () => ({ Component: (await import("./lobby/LobbyPage")).LobbyPage }) },
  { path: "/b/:slug/write/dialogue/:dialogueId", lazy: async () => ({ Component: (await import("./chat/ChatPage")).ChatPage }) },
];
