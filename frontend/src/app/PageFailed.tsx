import { useTranslation } from "react-i18next";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { Button, ButtonLink } from "@/ui/Button";
import { Missing } from "./Missing";

/** A fault in a page of ours, or a chunk that a newer build has replaced. */
export function PageFailed() {
  const { t } = useTranslation("app");
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <Missing />;
  return (
    <main className="page page-narrow" role="alert" data-testid="page-failed">
      <h1>{t("failed.title")}</h1>
      <p className="dim" style={{ margin: "8px 0 16px" }}>
        {t("failed.text")}
      </p>
      <p className="mono faint" style={{ marginBottom: 16 }}>
        {error instanceof Error ? error.message : String(error)}
      </p>
      <div className="row-actions">
        <Button look="primary" onClick={() => window.location.reload()}>
          {t("reload")}
        </Button>
        <ButtonLink to="/">{t("failed.home")}</ButtonLink>
      </div>
    </main>
  );
}
