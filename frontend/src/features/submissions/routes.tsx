import type { RouteObject } from "react-router";

const BELOW = "/b/:slug/releases/:releaseId/submissions";

export const routes: RouteObject[] = [
  { path: BELOW, lazy: async () => ({ Component: (await import("./SubmissionsPage")).SubmissionsPage }) },
  { path: `${BELOW}/:submissionId`, lazy: async () => ({ Component: (await import("./SubmissionPage")).SubmissionPage }) },
];
