import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/guidelines", lazy: async () => ({ Component: (await import("./GuidelinesPage")).GuidelinesPage }) },
  {
    path: "/b/:slug/guidelines/:kind",
    lazy: async () => ({ Component: (await import("./GuidelinePage")).GuidelinePage }),
  },
  {
    path: "/b/:slug/guidelines/:kind/edit",
    lazy: async () => ({ Component: (await import("./EditPage")).EditPage }),
  },
];
