import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/notices", lazy: async () => ({ Component: (await import("./NoticesPage")).NoticesPage }) },
];
