import { useTranslation } from "react-i18next";
import { useMatch } from "react-router";
import { requiredConsent, useRequiredConsent } from "@/api/requiredConsent";
import { useSession } from "@/api/session";
import { useSignals } from "@/api/useSignals";
import { Button } from "@/ui/Button";
import { operationsFor } from "./places";
import styles from "./shell.module.css";

/** Messages above every screen: no connection, a newer build, missing consent, roles that ended during work. */
export function Banners() {
  const { t } = useTranslation("app");
  const { online, newBuild } = useSignals();
  const { dismissed } = useRequiredConsent();
  return (
    <>
      {!online && (
        <div className={styles.banner} role="status" data-testid="offline">
          {t("offline")}
        </div>
      )}
      {newBuild && (
        <div className={styles.banner} role="status" data-testid="new-build">
          {t("newBuild")}
          <Button small onClick={() => window.location.reload()}>
            {t("reload")}
          </Button>
        </div>
      )}
      {dismissed !== null && (
        <div className={styles.banner} role="status" data-testid="consent-dismissed">
          {t("consent:banner.text")}
          <Button small onClick={() => requiredConsent.reopen(dismissed)}>
            {t("consent:banner.open")}
          </Button>
        </div>
      )}
      <RolesEnded />
    </>
  );
}

/** The workspace stays open when roles end: typed text can still be read and copied. */
function RolesEnded() {
  const { t } = useTranslation("app");
  const slug = useMatch("/b/:slug/work/:packageId")?.params.slug;
  const benchmarks = useSession().data?.benchmarks;
  if (slug === undefined || benchmarks === undefined) return null;
  const operations = benchmarks.find((one) => one.slug === slug)?.operations ?? [];
  if (operationsFor("/work").some((operation) => operations.includes(operation))) return null;
  return (
    <div className={styles.banner} role="status" data-testid="roles-ended">
      {t("closed.work")}
    </div>
  );
}
