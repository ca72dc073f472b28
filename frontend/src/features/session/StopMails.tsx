import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { useWrite } from "@/api/queries";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { useTitle } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { PublicFrame } from "./PublicFrame";
import styles from "./sign-in.module.css";

/** Where a mail's last link leads: no more notifications by mail, without signing in. */
export function StopMails() {
  const { t } = useTranslation("session");
  const { token = "" } = useParams();
  const stop = useWrite("mail_stop");
  useTitle(t("stop.title"));
  return (
    <PublicFrame heading={t("stop.title")}>
      <div className={styles.join}>
        {stop.data ? (
          <Notice tone="good">
            <span data-testid="mails-stopped">{t("stop.done")}</span>
          </Notice>
        ) : (
          <div className="form">
            <p>{t("stop.lead")}</p>
            {stop.error && <Problem error={stop.error} />}
            <Button look="primary" busy={stop.isPending} onClick={() => stop.mutate({ body: { token } })} data-testid="stop-mails">
              {t("stop.button")}
            </Button>
          </div>
        )}
        <p>
          <Link to="/account">{t("stop.account")}</Link>
        </p>
      </div>
    </PublicFrame>
  );
}
