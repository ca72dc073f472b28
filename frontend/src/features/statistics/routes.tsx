import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/quality", lazy: async () => ({ Component: (await import("./StatisticsPage")).StatisticsPage }) },
];
