import { useTranslation } from "react-i18next";
import { useSignals } from "@/api/useSignals";
import { Button } from "@/ui/Button";
import "./shell.css";

/** What concerns every screen: no connection, a newer build. */
export function Banners() {
  const { t } = useTranslation("app");
  const { online, newBuild } = useSignals();
  return (
    <>
      {!online && (
        <div className="banner" role="status" data-testid="offline">
          {t("offline")}
        </div>
      )}
      {newBuild && (
        <div className="banner" role="status" data-testid="new-build">
          {t("newBuild")}
          <Button small onClick={() => window.location.reload()}>
            {t("reload")}
          </Button>
        </div>
      )}
    </>
  );
}
