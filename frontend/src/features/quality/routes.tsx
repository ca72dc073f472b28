import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  {
    path: "/b/:slug/packages/:packageId/review",
    lazy: async () => ({ Component: (await import("./ReviewPage")).ReviewPage }),
  },
  {
    path: "/b/:slug/packages/:packageId/inspection",
    lazy: async () => ({ Component: (await import("./InspectionPage")).InspectionPage }),
  },
  {
    path: "/b/:slug/team/validate",
    lazy: async () => ({ Component: (await import("./validate/ValidatePage")).ValidatePage }),
  },
  {
    path: "/b/:slug/write/judge",
    lazy: async () => ({ Component: (await import("./panel/JudgePage")).JudgePage }),
  },
  {
    path: "/b/:slug/write/click",
    lazy: async () => ({ Component: (await import("./clicking/ClickPage")).ClickPage }),
  },
  {
    path: "/b/:slug/write/decide",
    lazy: async () => ({ Component: (await import("./decide/DecidePage")).DecidePage }),
  },
  {
    path: "/b/:slug/team/spot-checks/judge",
    lazy: async () => ({ Component: (await import("./spot/SpotCheckPage")).SpotCheckPage }),
  },
  {
    path: "/b/:slug/pools/:purpose",
    lazy: async () => ({ Component: (await import("./pool/PoolPage")).PoolPage }),
  },
];
