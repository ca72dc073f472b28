import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/public-pages", lazy: async () => ({ Component: (await import("./PublicationPage")).PublicationPage }) },
];
