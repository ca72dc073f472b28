import { Navigate, type RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/help", lazy: async () => ({ Component: (await import("./HelpPage")).HelpPage }) },
  { path: "/help/api", lazy: async () => ({ Component: (await import("./ApiPage")).ApiPage }) },
  { path: "/help/:guide", lazy: async () => ({ Component: (await import("./GuidePage")).GuidePage }) },
  { path: "/docs", element: <Navigate to="/help" replace /> },
];
