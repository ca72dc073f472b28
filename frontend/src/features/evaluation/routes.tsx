import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/evaluation", lazy: async () => ({ Component: (await import("./EvaluationPage")).EvaluationPage }) },
  {
    path: "/b/:slug/releases/:releaseId/scores",
    lazy: async () => ({ Component: (await import("./ScoresPage")).ScoresPage }),
  },
];
