import { Navigate } from "react-router";
import { useSession } from "@/api/session";
import { lastBenchmark } from "./lastBenchmark";

/** "/" redirects to the last benchmark, the only one, the one that an outsider submits to, or the list. */
export function Start() {
  const session = useSession().data;
  const benchmarks = session?.benchmarks ?? [];
  const last = lastBenchmark();
  const slug = benchmarks.find((benchmark) => benchmark.slug === last)?.slug ?? benchmarks[0]?.slug;
  const outside = session?.submits_to[0];
  if (slug === undefined && outside !== undefined) return <Navigate to={`/submit/${outside}`} replace />;
  return <Navigate to={slug === undefined ? "/benchmarks" : `/b/${slug}`} replace />;
}
