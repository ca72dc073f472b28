/** Where people spend their days: a page of its own, without what only other pages need. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { makeQueryClient } from "@/api/queries";
import { toasts } from "@/ui/toasts";
import { Desk } from "@/desk/Desk";
import { inlinedAnswers, startWith } from "@/desk/inlined";
import { DESK_TEXTS } from "@/desk/texts";
import { startTexts } from "@/i18n/setup";
import { startTheme } from "@/ui/theme";
import { keepsWork } from "@/workspace/saving/browserStore";
import "@/ui/base.css";

startTheme();
// Opened while the texts arrive: the first item is shown with what this browser kept of it.
void keepsWork();
const answers = inlinedAnswers();
const queryClient = makeQueryClient();
startWith(answers, queryClient);
await startTexts(answers.session?.person.language, DESK_TEXTS);
const root = document.getElementById("root");
if (root === null) throw new Error("desk.html has no #root");
createRoot(root).render(
  <StrictMode>
    <Desk queryClient={queryClient} />
  </StrictMode>,
);
toasts.arrive();
