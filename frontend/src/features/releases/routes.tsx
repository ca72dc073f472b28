import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/releases", lazy: async () => ({ Component: (await import("./ReleasesPage")).ReleasesPage }) },
  {
    path: "/b/:slug/releases/:releaseId",
    lazy: async () => ({ Component: (await import("./ReleasePage")).ReleasePage }),
  },
  { path: "/b/:slug/errata", lazy: async () => ({ Component: (await import("./ErrataPage")).ErrataPage }) },
  { path: "/submit/:slug/errata", lazy: async () => ({ Component: (await import("./OutsideErrata")).OutsideErrata }) },
];
