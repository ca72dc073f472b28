import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/sets", lazy: async () => ({ Component: (await import("./SetsPage")).SetsPage }) },
  { path: "/b/:slug/sets/:setId", lazy: async () => ({ Component: (await import("./SetPage")).SetPage }) },
];
