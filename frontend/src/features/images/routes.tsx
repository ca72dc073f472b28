import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/pictures", lazy: async () => ({ Component: (await import("./grid/BrowsePage")).BrowsePage }) },
  { path: "/b/:slug/pictures/add", lazy: async () => ({ Component: (await import("./intake/IntakePage")).IntakePage }) },
  { path: "/b/:slug/pictures/inspect", lazy: async () => ({ Component: (await import("./grid/InspectPage")).InspectPage }) },
  { path: "/b/:slug/pictures/cover", lazy: async () => ({ Component: (await import("./cover/CoverPage")).CoverPage }) },
  { path: "/b/:slug/pictures/:id", lazy: async () => ({ Component: (await import("./page/PicturePage")).PicturePage }) },
];
