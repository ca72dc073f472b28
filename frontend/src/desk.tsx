/** Where people spend their days: a page of its own, without what only other pages need. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { makeQueryClient } from "@/api/queries";
import { toasts } from "@/ui/toasts";
import { Desk } from "@/desk/Desk";
import { inlinedAnswers, startWith } from "@/desk/inlined";
import { DESK_TEXTS } from "@/desk/texts";
import { startTexts } from "@/i18n/setup";
import { theme } from "@/ui/theme";
import "@/ui/base.css";

theme.start();
const answers = inlinedAnswers();
const queryClient = makeQueryClient();
// What this browser kept is read while the texts arrive: the first thing drawn is the item to write.
await Promise.all([startTexts(answers.session?.person.language, DESK_TEXTS), startWith(answers, queryClient)]);
const root = document.getElementById("root");
if (root === null) throw new Error("desk.html has no #root");
createRoot(root).render(
  <StrictMode>
    <Desk queryClient={queryClient} />
  </StrictMode>,
);
toasts.arrive();
