import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useQueryClient } from "@tanstack/react-query";
import { queryKey, useWrite } from "@/api/queries";
import { useMe } from "@/api/session";
import { MyConsents } from "@/features/consent/MyConsents";
import { Tokens } from "@/features/tokens/Tokens";
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from "@/i18n/languages";
import { switchLanguage } from "@/i18n/setup";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { OwnAddress } from "./OwnAddress";
import { OwnPassword } from "./OwnPassword";
import styles from "./account.module.css";

/** The person's own page: display name, password, mail, consents, API tokens. */
export function Account() {
  const { t } = useTranslation("app");
  const me = useMe();
  const client = useQueryClient();
  const update = useWrite("session_update");
  return (
    <Page title={t("account.title")} lead={t("account.lead")} narrow>
      <section className="card" aria-labelledby="me">
        <h2 id="me">{t("account.me")}</h2>
        <OwnName />
        <dl className="facts">
          <dt>{t("account.username")}</dt>
          <dd className="mono">{me.username}</dd>
        </dl>
        <div className={styles.accountLanguage}>
          <SelectField
            label={t("ui:language")}
            value={me.language}
            onChange={(event) => {
              const language = event.target.value;
              if (!isLanguage(language)) return;
              void switchLanguage(language);
              update.mutate({ body: { language } }, { onSuccess: (session) => client.setQueryData(queryKey("session_show", {}), session) });
            }}
            data-testid="account-language"
          >
            {LANGUAGES.map((language) => (
              <option key={language} value={language} lang={language}>
                {LANGUAGE_NAMES[language]}
              </option>
            ))}
          </SelectField>
          {update.error && <Problem error={update.error} />}
        </div>
      </section>
      <OwnPassword />
      <OwnAddress />
      <MyConsents />
      <Tokens />
    </Page>
  );
}

/** The name that colleagues see; it may not be empty. */
function OwnName() {
  const { t } = useTranslation("app");
  const me = useMe();
  const client = useQueryClient();
  const update = useWrite("session_update");
  const [name, setName] = useState(me.name);
  const trimmed = name.trim();
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (trimmed === "" || trimmed === me.name) return;
    update.mutate(
      { body: { name: trimmed } },
      {
        onSuccess: (session) => {
          client.setQueryData(queryKey("session_show", {}), session);
          setName(session.person.name);
          toasts.show(t("account.saved"));
        },
      },
    );
  };
  return (
    <form className={styles.accountName} onSubmit={onSubmit}>
      <TextField
        label={t("account.name")}
        hint={t("account.nameHint")}
        autoComplete="name"
        maxLength={120}
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
        data-testid="account-name"
      />
      <Button type="submit" busy={update.isPending} disabled={trimmed === "" || trimmed === me.name} data-testid="save-name">
        {t("account.save")}
      </Button>
      {update.error && <Problem error={update.error} />}
    </form>
  );
}
