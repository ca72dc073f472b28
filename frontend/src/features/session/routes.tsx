import type { RouteObject } from "react-router";

/** Pages for invitation, reset and mail links, without sign-in. The secret is behind "#". */
export const routes: RouteObject[] = [
  { path: "/join", lazy: async () => ({ Component: (await import("./Join")).Join }) },
  { path: "/password", lazy: async () => ({ Component: (await import("./SetPassword")).SetPassword }) },
  { path: "/mail/confirm", lazy: async () => ({ Component: (await import("./ConfirmAddress")).ConfirmAddress }) },
  { path: "/mail/stop/:token", lazy: async () => ({ Component: (await import("./StopMails")).StopMails }) },
];
