import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/consent", lazy: async () => ({ Component: (await import("./ConsentPage")).ConsentPage }) },
];
