import type { RouteObject } from "react-router";

/** Pages for links that somebody was given; nobody has to be signed in. The secret stands behind "#". */
export const routes: RouteObject[] = [
  { path: "/join", lazy: async () => ({ Component: (await import("./Join")).Join }) },
  { path: "/password", lazy: async () => ({ Component: (await import("./SetPassword")).SetPassword }) },
];
