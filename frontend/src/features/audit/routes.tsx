import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/audit", lazy: async () => ({ Component: (await import("./AuditTrail")).AuditTrail }) },
  { path: "/b/:slug/bulk", lazy: async () => ({ Component: (await import("./BulkPage")).BulkPage }) },
];
