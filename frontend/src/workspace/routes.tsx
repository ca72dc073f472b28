import { redirectDocument, type RouteObject } from "react-router";
import { toasts } from "@/ui/toasts";
import { isDesk } from "./address";
import { flushWork } from "./saving/delivery";

/** The workspace is a page of its own (desk.html): a link to it loads that page. */
export const routes: RouteObject[] = [
  {
    path: "/b/:slug/work/:packageId",
    loader: async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const address = pathname.replace(/\/$/, "");
      // The server would answer anything else with the page that asks here.
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- this is how a loader says that there is no such page
      if (!isDesk(address)) throw new Response(null, { status: 404 });
      await flushWork();
      toasts.carry();
      return redirectDocument(address + search);
    },
    element: null,
  },
  {
    path: "/b/:slug/team/items/:itemId",
    lazy: async () => ({ Component: (await import("./team/TeamDeskPage")).TeamDeskPage }),
  },
  {
    path: "/b/:slug/write/items/:itemId",
    lazy: async () => ({ Component: (await import("./team/TeamDeskPage")).TeamDeskPage }),
  },
];
