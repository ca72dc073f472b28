import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/items/:id", lazy: async () => ({ Component: (await import("./ItemPage")).ItemPage }) },
];
