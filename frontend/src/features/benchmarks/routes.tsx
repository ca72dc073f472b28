import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/benchmarks", lazy: async () => ({ Component: (await import("./BenchmarkList")).BenchmarkList }) },
  { path: "/benchmarks/new", lazy: async () => ({ Component: (await import("./NewBenchmark")).NewBenchmark }) },
  { path: "/b/:slug/protocol", lazy: async () => ({ Component: (await import("./ProtocolPage")).ProtocolPage }) },
];
