import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSessionBenchmark } from "@/api/session";
import { Page } from "@/ui/Page";
import { ConsentForm } from "./ConsentForm";

/**
 * Shows the consent text instead of a page for contributing. Decided when the page is opened:
 * later the text covers the page instead, because something may have been typed on it.
 */
export function RequireConsent({ slug, children }: { slug: string; children: ReactNode }) {
  const { t } = useTranslation("consent");
  const state = useSessionBenchmark(slug)?.consent;
  const [missing, setMissing] = useState(state !== undefined && state.needed && !state.given);
  if (!missing) return children;
  return (
    <Page title={t("title")} lead={t("first")} narrow>
      <div className="card">
        <ConsentForm slug={slug} onGiven={() => setMissing(false)} />
      </div>
    </Page>
  );
}
