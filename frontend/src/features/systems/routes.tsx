import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/systems", lazy: async () => ({ Component: (await import("./SystemsPage")).SystemsPage }) },
  { path: "/systems/:slug", lazy: async () => ({ Component: (await import("./SystemPage")).SystemPage }) },
];
