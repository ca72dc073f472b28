import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSessionBenchmark } from "@/api/session";
import { Page } from "@/ui/Page";
import { ConsentForm } from "./ConsentForm";

/**
 * The text before the first contribution, in place of the page one came for. Decided when the page is entered:
 * consent that ends later asks in front of the page, for something may have been typed on it.
 */
export function ConsentFirst({ slug, children }: { slug: string; children: ReactNode }) {
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
