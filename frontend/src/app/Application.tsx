import { QueryClientProvider } from "@tanstack/react-query";
import { createBrowserRouter, RouterProvider } from "react-router";
import { makeQueryClient } from "@/api/queries";
import { KeySheets } from "@/ui/keys";
import { BARE, FRAMED } from "./routes";

const router = createBrowserRouter([{ children: [...BARE, ...FRAMED] }]);
const queryClient = makeQueryClient();

export function Application() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <KeySheets />
    </QueryClientProvider>
  );
}
