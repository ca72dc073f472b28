import type { RouteObject } from "react-router";

/** Pages for invitation and reset links, without sign-in. The secret is behind "#". */
export const routes: RouteObject[] = [
  { path: "/join", lazy: async () => ({ Component: (await import("./Join")).Join }) },
  { path: "/password", lazy: async () => ({ Component: (await import("./SetPassword")).SetPassword }) },
];
