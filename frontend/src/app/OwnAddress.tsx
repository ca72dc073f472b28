import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useRead, useWrite } from "@/api/queries";
import type { Answer } from "@/api/request";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import styles from "./account.module.css";

const CHOICES = ["off", "daily", "at_once"] as const;

/** When notifications are mailed; eight o'clock is that of this browser's time zone, which is stored with the choice. */
function WhenMailed({ mailbox }: { mailbox: Answer<"mail_show"> }) {
  const { t } = useTranslation("app");
  const choose = useWrite("digest_set");
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <div className={styles.accountLanguage}>
      <SelectField
        label={t("mail.digest")}
        hint={mailbox.digest === "daily" ? t("mail.dailyHint", { zone: mailbox.zone }) : t("mail.digestHint")}
        value={mailbox.digest}
        disabled={choose.isPending}
        onChange={(event) => {
          const digest = CHOICES.find((one) => one === event.target.value);
          if (digest) choose.mutate({ body: { digest, zone } });
        }}
        data-testid="digest"
      >
        {CHOICES.map((one) => (
          <option key={one} value={one}>
            {t(`mail.choice.${one}`)}
          </option>
        ))}
      </SelectField>
      {choose.error && <Problem error={choose.error} />}
    </div>
  );
}

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
      {address !== "" && <WhenMailed mailbox={mailbox.data} />}
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
