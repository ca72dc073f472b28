import { Navigate, useParams, type RouteObject } from "react-router";

/** The page's address when scores were a table alone; links to it are out in the world. */
function FromScores() {
  const { slug, releaseId } = useParams();
  return <Navigate to={`/b/${slug ?? ""}/releases/${releaseId ?? ""}/leaderboard`} replace />;
}

const BELOW = "/b/:slug/releases/:releaseId";

export const routes: RouteObject[] = [
  { path: `${BELOW}/leaderboard`, lazy: async () => ({ Component: (await import("./LeaderboardPage")).LeaderboardPage }) },
  { path: `${BELOW}/samples`, lazy: async () => ({ Component: (await import("./SamplesPage")).SamplesPage }) },
  { path: `${BELOW}/samples/:scope/:ordinal`, lazy: async () => ({ Component: (await import("./SamplePage")).SamplePage }) },
  { path: `${BELOW}/scores`, Component: FromScores },
];
