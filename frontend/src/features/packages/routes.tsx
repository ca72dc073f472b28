import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/work", lazy: async () => ({ Component: (await import("./WorkPage")).WorkPage }) },
  { path: "/b/:slug/packages", lazy: async () => ({ Component: (await import("./PackagesPage")).PackagesPage }) },
  {
    path: "/b/:slug/packages/:packageId",
    lazy: async () => ({ Component: (await import("./PackagePage")).PackagePage }),
  },
  {
    path: "/b/:slug/packages/:packageId/check",
    lazy: async () => ({ Component: (await import("./CheckPage")).CheckPage }),
  },
];
