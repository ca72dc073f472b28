import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/imports", lazy: async () => ({ Component: (await import("./ImportsPage")).ImportsPage }) },
  { path: "/b/:slug/imports/:importId", lazy: async () => ({ Component: (await import("./ImportPage")).ImportPage }) },
];
