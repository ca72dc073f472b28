import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: "/b/:slug/prompts", lazy: async () => ({ Component: (await import("./PromptsPage")).PromptsPage }) },
  { path: "/b/:slug/prompts/:name/:language/:no", lazy: async () => ({ Component: (await import("./PromptPage")).PromptPage }) },
];
