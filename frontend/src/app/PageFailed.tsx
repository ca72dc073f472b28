import { useTranslation } from "react-i18next";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { useSignals } from "@/api/useSignals";
import { Button, ButtonLink } from "@/ui/Button";
import { isChunkLoadError } from "@/ui/chunkErrors";
import { NotFound } from "./NotFound";

/** Shown at an address whose page failed. */
export function PageFailed() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  return <PageFault error={error} />;
}

/** A bug in the page, or a chunk that failed to load: a newer build has replaced it, or there is no connection. */
export function PageFault({ error }: { error: unknown }) {
  const { t } = useTranslation("app");
  const { online } = useSignals();
  const what = !isChunkLoadError(error) ? "fault" : online ? "newBuild" : "offline";
  return (
    <main className="page page-narrow" role="alert" data-testid="page-failed" data-what={what}>
      <h1>{t(`failed.${what}.title`)}</h1>
      <p className="dim" style={{ margin: "8px 0 16px" }}>
        {t(`failed.${what}.text`)}
      </p>
      {what === "fault" && (
        <p className="mono faint" style={{ marginBottom: 16 }}>
          {error instanceof Error ? error.message : String(error)}
        </p>
      )}
      <div className="row-actions">
        <Button look="primary" onClick={() => window.location.reload()} data-testid="reload">
          {t("reload")}
        </Button>
        <ButtonLink to="/">{t("failed.home")}</ButtonLink>
      </div>
    </main>
  );
}
