import type { RouteObject } from "react-router";

const BELOW = "/b/:slug/runs/:runId/samples";

export const routes: RouteObject[] = [
  { path: BELOW, lazy: async () => ({ Component: (await import("./SamplesPage")).SamplesPage }) },
  { path: `${BELOW}/:no`, lazy: async () => ({ Component: (await import("./SamplePage")).SamplePage }) },
];
