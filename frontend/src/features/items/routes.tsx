import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/items", lazy: async () => ({ Component: (await import("./ItemsPage")).ItemsPage }) },
  { path: "/b/:slug/items/import", lazy: async () => ({ Component: (await import("./ImportPage")).ImportPage }) },
];
