import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/people", lazy: async () => ({ Component: (await import("./People")).People }) },
];
