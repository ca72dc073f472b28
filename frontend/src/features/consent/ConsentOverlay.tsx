import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { requiredConsent } from "@/api/requiredConsent";
import { useSessionBenchmark } from "@/api/session";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { useTitle } from "@/ui/Page";
import { consentActions } from "./actions";
import { ConsentForm } from "./ConsentForm";
import styles from "./consent.module.css";

/** Covers the open page when the server requires consent; the page stays mounted and keeps what was typed. */
export function ConsentOverlay({ slug }: { slug: string }) {
  const { t } = useTranslation("consent");
  const name = useLocalised();
  const title = useSessionBenchmark(slug)?.title;
  const heading = useRef<HTMLHeadingElement>(null);
  const notNow = () => requiredConsent.dismiss();
  useActions(consentActions, { notNow }, { exclusive: true });
  useTitle(t("title"));
  useEffect(() => heading.current?.focus(), []);
  return (
    <main className={styles.consentFront} data-testid="consent-overlay">
      <div className="card">
        <div className={styles.consentLine}>
          <h1 ref={heading} tabIndex={-1}>
            {t("title")}
          </h1>
          <Button look="plain" keys="Escape" onClick={notNow} data-testid="consent-not-now">
            {t("notNow")}
          </Button>
        </div>
        <p className="dim">
          {title && <>{name(title)} · </>}
          {t("inFront")}
        </p>
        <ConsentForm slug={slug} />
      </div>
    </main>
  );
}
