/** Rendering a component as the application would: texts of one language, a router, a query client. */
import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { render, type RenderResult } from "@testing-library/react";
import i18next from "i18next";
import type { ReactElement } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { makeQueryClient } from "@/api/queries";
import { startTexts, switchLanguage } from "@/i18n/setup";
import type { Language } from "@/i18n/languages";

export async function renderScreen(
  element: ReactElement,
  { at = "/", path = "/", language = "en" }: { at?: string; path?: string; language?: Language } = {},
): Promise<RenderResult & { router: ReturnType<typeof createMemoryRouter>; client: QueryClient }> {
  if (i18next.isInitialized) await switchLanguage(language);
  else await startTexts(language);
  const router = createMemoryRouter([{ path, element }, { path: "*", element: <p data-testid="elsewhere" /> }], {
    initialEntries: [at],
  });
  const client = makeQueryClient();
  client.setDefaultOptions({ queries: { retry: false } });
  const result = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { ...result, router, client };
}
