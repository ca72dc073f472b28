import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useWrite } from "@/api/queries";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { useTitle } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { PublicFrame } from "./PublicFrame";
import { useLinkToken } from "@/ui/useLinkToken";
import styles from "./sign-in.module.css";

/** Where the link in a mail leads. A button confirms, because programs that check mails open links, too. */
export function ConfirmAddress() {
  const { t } = useTranslation("session");
  const token = useLinkToken();
  const confirm = useWrite("address_confirm");
  useTitle(t("confirm.title"));
  return (
    <PublicFrame heading={t("confirm.title")}>
      <div className={styles.join}>
        {token === "" ? (
          <p className="dim">{t("link.missing")}</p>
        ) : confirm.data ? (
          <Notice tone="good">
            <span data-testid="address-confirmed">{t("confirm.done", confirm.data)}</span>
          </Notice>
        ) : (
          <div className="form">
            <p>{t("confirm.lead")}</p>
            {confirm.error && <Problem error={confirm.error} />}
            <Button look="primary" busy={confirm.isPending} onClick={() => confirm.mutate({ body: { token } })} data-testid="confirm-address">
              {t("confirm.button")}
            </Button>
          </div>
        )}
        <p>
          <Link to="/">{t("confirm.home")}</Link>
        </p>
      </div>
    </PublicFrame>
  );
}
