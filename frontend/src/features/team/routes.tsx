import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/team", lazy: async () => ({ Component: (await import("./BoardPage")).BoardPage }) },
  { path: "/b/:slug/write", lazy: async () => ({ Component: (await import("./BoardPage")).WriteBoardPage }) },
  { path: "/b/:slug/team/spot-checks", lazy: async () => ({ Component: (await import("./spot/SpotChecksPage")).SpotChecksPage }) },
  { path: "/b/:slug/team/credit", lazy: async () => ({ Component: (await import("./credit/CreditPage")).CreditPage }) },
];
