import { QueryClientProvider } from "@tanstack/react-query";
import { createBrowserRouter, Navigate, RouterProvider } from "react-router";
import { makeQueryClient } from "@/api/queries";
import { KeySheets } from "@/ui/keys";
import { Loading } from "@/ui/Loading";
import { Toasts } from "@/ui/Toasts";
import { Gate } from "./Gate";
import { PageFailed } from "./PageFailed";
import { lastBenchmark } from "./lastBenchmark";
import { BARE, FRAMED, PUBLIC } from "./routes";
import { NotFound } from "./NotFound";
import { Start } from "./Start";
import { Shell } from "./Shell";
import { useBenchmarkMatches } from "./useBenchmarkMatches";

const router = createBrowserRouter([
  ...PUBLIC.map((route) => ({ ...route, errorElement: <PageFailed />, hydrateFallbackElement: <Loading /> })),
  {
    element: <Gate />,
    errorElement: <PageFailed />,
    hydrateFallbackElement: <Loading />,
    children: [
      ...BARE.map((route) => ({ ...route, errorElement: <PageFailed /> })),
      {
        element: <Shell />,
        children: [
          {
            // The frame stays when a page fails.
            errorElement: <PageFailed />,
            // People who sign in at an address that they typed themselves start at home.
            children: [{ path: "/", element: <Start /> }, { path: "/login", element: <Navigate to="/" replace /> }, ...FRAMED, { path: "*", element: <NotFound /> }],
          },
        ],
      },
    ],
  },
]);
const queryClient = makeQueryClient();

/** The palette is outside the routes, so it asks the router where the person is. */
function usePaletteMatches(typed: string) {
  const slug = router.state.matches.at(-1)?.params.slug ?? lastBenchmark() ?? "";
  return useBenchmarkMatches(slug, typed, (path) => void router.navigate(path));
}

export function Application() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <KeySheets useMatches={usePaletteMatches} />
      <Toasts />
    </QueryClientProvider>
  );
}
