import { useTranslation } from "react-i18next";
import { useQueryClient } from "@tanstack/react-query";
import { queryKey, useWrite } from "@/api/queries";
import { useMe } from "@/api/session";
import { MyConsents } from "@/features/consent/MyConsents";
import { Tokens } from "@/features/tokens/Tokens";
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from "@/i18n/languages";
import { switchLanguage } from "@/i18n/setup";
import { SelectField } from "@/ui/Field";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import "./account.css";

/** What is mine on this site: how I am addressed, what I agreed to, keys for programs of mine. */
export function Account() {
  const { t } = useTranslation("app");
  const me = useMe();
  const client = useQueryClient();
  const update = useWrite("session_update");
  return (
    <Page title={t("account.title")} lead={t("account.lead")} narrow>
      <section className="card" aria-labelledby="me">
        <h2 id="me">{t("account.me")}</h2>
        <dl className="facts">
          <dt>{t("account.name")}</dt>
          <dd>{me.name}</dd>
          <dt>{t("account.username")}</dt>
          <dd className="mono">{me.username}</dd>
        </dl>
        <div className="account-language">
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
        <p className="tiny">{t("account.password")}</p>
      </section>
      <MyConsents />
      <Tokens />
    </Page>
  );
}
