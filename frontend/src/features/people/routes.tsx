import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/people", lazy: async () => ({ Component: (await import("./People")).People }) },
  { path: "/b/:slug/people/teams", lazy: async () => ({ Component: (await import("./Teams")).Teams }) },
  { path: "/b/:slug/people/invitations", lazy: async () => ({ Component: (await import("./Invitations")).Invitations }) },
  { path: "/b/:slug/people/outsiders", lazy: async () => ({ Component: (await import("./Outsiders")).Outsiders }) },
  { path: "/b/:slug/people/:id", lazy: async () => ({ Component: (await import("./PersonPage")).PersonPage }) },
];
