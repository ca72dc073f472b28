import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/team", lazy: async () => ({ Component: (await import("./BoardPage")).BoardPage }) },
];
