import { redirectDocument, type RouteObject } from "react-router";
import { toasts } from "@/ui/toasts";
import { handOverWork } from "./saving/delivery";

/** The workspace is a page of its own (desk.html): a link to it loads that page. */
export const routes: RouteObject[] = [
  {
    path: "/b/:slug/work/:packageId",
    loader: async ({ request }) => {
      await handOverWork();
      toasts.carry();
      const { pathname, search } = new URL(request.url);
      return redirectDocument(pathname + search);
    },
    element: null,
  },
];
