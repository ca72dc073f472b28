import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/spending", lazy: async () => ({ Component: (await import("./SpendingPage")).SpendingPage }) },
  { path: "/b/:slug/spending/calls/:callId", lazy: async () => ({ Component: (await import("./CallPage")).CallPage }) },
];
