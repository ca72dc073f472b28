import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/category-board", lazy: async () => ({ Component: (await import("./BoardPage")).BoardPage }) },
];
