import type { RouteObject } from "react-router";

const BELOW = "/b/:slug/releases/:releaseId/submissions";

export const routes: RouteObject[] = [
  { path: "/b/:slug/predictions", lazy: async () => ({ Component: (await import("./OpenReleases")).OpenReleases }) },
  { path: BELOW, lazy: async () => ({ Component: (await import("./SubmissionsPage")).SubmissionsPage }) },
  { path: `${BELOW}/:submissionId`, lazy: async () => ({ Component: (await import("./SubmissionPage")).SubmissionPage }) },
  // Notifications name a submission, not its release.
  { path: "/b/:slug/submissions/:submissionId", lazy: async () => ({ Component: (await import("./SubmissionPage")).SubmissionPage }) },
  { path: "/submit/:slug/submissions/:submissionId", lazy: async () => ({ Component: (await import("./SubmissionPage")).SubmissionPage }) },
  { path: "/submit/:slug/team", lazy: async () => ({ Component: (await import("./CrewInvitation")).CrewInvitation }) },
  { path: "/submit/:slug", lazy: async () => ({ Component: (await import("./SubmitPage")).SubmitPage }) },
  { path: "/submit/:slug/releases/:releaseId", lazy: async () => ({ Component: (await import("./SubmissionsPage")).SubmissionsPage }) },
  { path: "/submit/:slug/releases/:releaseId/:submissionId", lazy: async () => ({ Component: (await import("./SubmissionPage")).SubmissionPage }) },
];
