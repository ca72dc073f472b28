import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/pictures", lazy: async () => ({ Component: (await import("./PictureGrid")).PictureGrid }) },
  { path: "/b/:slug/pictures/add", lazy: async () => ({ Component: (await import("./Intake")).Intake }) },
  { path: "/b/:slug/pictures/:id", lazy: async () => ({ Component: (await import("./PicturePage")).PicturePage }) },
];
