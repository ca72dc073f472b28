import type { RouteObject } from "react-router";

/** The workspace has its own frame and its own chunk: nothing but the task. */
export const routes: RouteObject[] = [
  {
    path: "/b/:slug/work/:packageId",
    lazy: async () => ({ Component: (await import("./WorkspacePage")).WorkspacePage }),
  },
];
