import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { Route, Routes } from "react-router";
import { Gate } from "@/app/Gate";
import { PageFault } from "@/app/PageFailed";
import { Boundary } from "@/ui/Boundary";
import { KeySheets } from "@/ui/keys";
import { Toasts } from "@/ui/Toasts";
import { WorkspacePage } from "@/workspace/WorkspacePage";
import { DeskRouter } from "./DeskRouter";

/** The workspace with what surrounds every page: sign-in, banners, key sheets, toasts. */
export function Desk({ queryClient }: { queryClient: QueryClient }) {
  return (
    <QueryClientProvider client={queryClient}>
      <DeskRouter>
        <Boundary failed={(error) => <PageFault error={error} />}>
          <Routes>
            <Route element={<Gate />}>
              <Route path="/b/:slug/work/:packageId" element={<WorkspacePage />} />
            </Route>
          </Routes>
        </Boundary>
      </DeskRouter>
      <KeySheets />
      <Toasts />
    </QueryClientProvider>
  );
}
