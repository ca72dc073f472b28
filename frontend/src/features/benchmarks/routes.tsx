import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/benchmarks", lazy: async () => ({ Component: (await import("./BenchmarkList")).BenchmarkList }) },
  { path: "/benchmarks/new", lazy: async () => ({ Component: (await import("./NewBenchmark")).NewBenchmark }) },
  { path: "/b/:slug/protocol", lazy: async () => ({ Component: (await import("./ProtocolPage")).ProtocolPage }) },
  { path: "/b/:slug/protocol/versions", lazy: async () => ({ Component: (await import("./VersionsPage")).VersionsPage }) },
  { path: "/b/:slug/protocol/versions/:version", lazy: async () => ({ Component: (await import("./VersionPage")).VersionPage }) },
  { path: "/b/:slug/protocol/compare", lazy: async () => ({ Component: (await import("./ComparePage")).ComparePage }) },
  { path: "/b/:slug/protocol/proposals/:proposal", lazy: async () => ({ Component: (await import("./ProposalPage")).ProposalPage }) },
  { path: "/b/:slug/protocol/lists", lazy: async () => ({ Component: (await import("./lists/ListsPage")).ListsPage }) },
  { path: "/b/:slug/protocol/lists/new", lazy: async () => ({ Component: (await import("./lists/ListPage")).NewListPage }) },
  { path: "/b/:slug/protocol/lists/:name/:version", lazy: async () => ({ Component: (await import("./lists/ListPage")).ListPage }) },
  { path: "/b/:slug/protocol/new", lazy: async () => ({ Component: (await import("./AdoptPage")).AdoptPage }) },
];
