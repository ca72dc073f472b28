import { Navigate } from "react-router";
import { useSession } from "@/api/session";
import { lastBenchmark } from "./lastBenchmark";

/** "/" redirects to the last benchmark, the only one, or the list. */
export function Start() {
  const benchmarks = useSession().data?.benchmarks ?? [];
  const last = lastBenchmark();
  const slug = benchmarks.find((benchmark) => benchmark.slug === last)?.slug ?? benchmarks[0]?.slug;
  return <Navigate to={slug === undefined ? "/benchmarks" : `/b/${slug}`} replace />;
}
