import { Navigate, useParams, type RouteObject } from "react-router";

/** The page's address before runs had pages of their own; links to it are out in the world. */
function FromEvaluation() {
  const { slug } = useParams();
  return <Navigate to={`/b/${slug ?? ""}/runs`} replace />;
}

export const routes: RouteObject[] = [
  { path: "/b/:slug/runs", lazy: async () => ({ Component: (await import("./RunsPage")).RunsPage }) },
  { path: "/b/:slug/runs/:runId", lazy: async () => ({ Component: (await import("./RunPage")).RunPage }) },
  { path: "/b/:slug/evaluation", Component: FromEvaluation },
];
