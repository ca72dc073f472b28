import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Application } from "@/app/Application";
import { startTexts } from "@/i18n/setup";
import { toasts } from "@/ui/toasts";
import { theme } from "@/ui/theme";
import "@/ui/base.css";

theme.start();
await startTexts();
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <Application />
  </StrictMode>,
);
toasts.arrive();
