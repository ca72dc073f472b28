import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug", lazy: async () => ({ Component: (await import("./Home")).Home }) },
];
