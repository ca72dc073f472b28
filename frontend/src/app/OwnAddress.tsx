import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useRead, useWrite } from "@/api/queries";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import styles from "./account.module.css";

/** Where the person gets mail; absent on a site that sends none. */
export function OwnAddress() {
  const { t } = useTranslation("app");
  const mailbox = useRead("mail_show", {});
  const set = useWrite("address_set");
  const remove = useWrite("address_remove");
  const [typed, setTyped] = useState("");
  if (!mailbox.data?.available) return null;
  const { address, pending } = mailbox.data;
  const error = set.error ?? remove.error;
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    remove.reset();
    if (typed.trim() !== "") set.mutate({ body: { address: typed.trim() } }, { onSuccess: () => setTyped("") });
  };
  return (
    <section className="card" aria-labelledby="mail">
      <h2 id="mail">{t("mail.title")}</h2>
      <p className="dim">{t("mail.lead")}</p>
      {address !== "" && (
        <dl className="facts">
          <dt>{t("mail.address")}</dt>
          <dd className="mono" data-testid="verified-address">
            {address}
          </dd>
        </dl>
      )}
      {pending !== "" && (
        <Notice
          action={
            <Button small busy={set.isPending} onClick={() => set.mutate({ body: { address: pending } })} data-testid="send-link-again">
              {t("mail.again")}
            </Button>
          }
        >
          <span data-testid="pending-address">{t("mail.pending", { address: pending })}</span>
        </Notice>
      )}
      <form className={styles.accountName} onSubmit={onSubmit}>
        <TextField
          label={t(address === "" ? "mail.address" : "mail.newAddress")}
          hint={t("mail.hint")}
          type="email"
          autoComplete="email"
          maxLength={254}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          data-testid="address"
        />
        <div className="row-actions">
          <Button type="submit" busy={set.isPending} disabled={typed.trim() === ""} data-testid="set-address">
            {t("mail.send")}
          </Button>
          {(address !== "" || pending !== "") && (
            <Button
              look="danger"
              busy={remove.isPending}
              onClick={() => {
                set.reset();
                remove.mutate({ body: {} });
              }}
              data-testid="remove-address"
            >
              {t("mail.remove")}
            </Button>
          )}
        </div>
        {error && <Problem error={error} />}
      </form>
    </section>
  );
}
