/** Shows a page if the person may see it, else a short message: their roles may have ended. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useMatch } from "react-router";
import { useSession } from "@/api/session";
import { RequireConsent } from "@/features/consent/RequireConsent";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { requiresConsentAt, operationsFor } from "./places";

export function AccessGate({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const slug = useMatch("/b/:slug/*")?.params.slug;
  const benchmarks = useSession().data?.benchmarks;
  if (slug === undefined || benchmarks === undefined) return children;
  const here = benchmarks.find((one) => one.slug === slug);
  if (here === undefined) return <NoAccess what="benchmark" to="/benchmarks" />;
  const below = pathname.slice(`/b/${slug}`.length).replace(/\/$/, "");
  const operations = operationsFor(below);
  if (operations.length > 0 && !operations.some((operation) => here.operations.includes(operation))) return <NoAccess what="page" to={`/b/${slug}`} />;
  if (!requiresConsentAt(below)) return children;
  return (
    <RequireConsent key={below} slug={slug}>
      {children}
    </RequireConsent>
  );
}

function NoAccess({ what, to }: { what: "page" | "benchmark"; to: string }) {
  const { t } = useTranslation("app");
  const title = t(`closed.${what}.title`);
  return (
    <Page title={title} narrow>
      <div data-testid="closed">
        <Empty title={t("closed.calm")} actions={<ButtonLink to={to}>{t(`closed.${what}.go`)}</ButtonLink>}>
          {t(`closed.${what}.text`)}
        </Empty>
      </div>
    </Page>
  );
}
