/** `npm run dev` answers the desk's addresses with its page, as the server does where the front end is built. */
import type { Plugin } from "vite";

const DESK = /^\/b\/[\w-]+\/work\/\d+(?=\?|$)/;

export function deskInDevelopment(): Plugin {
  return {
    name: "desk-in-development",
    apply: "serve",
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        request.url = request.url?.replace(DESK, "/desk.html");
        next();
      });
    },
  };
}
