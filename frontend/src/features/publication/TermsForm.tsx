/** The terms of use, in every language or in none. */
import { useId, useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { Publication } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { LANGUAGE_NAMES, LANGUAGES } from "@/i18n/languages";
import styles from "./publication.module.css";

export function TermsForm({ of, slug }: { of: Publication; slug: string }) {
  const { t } = useTranslation("publication");
  const id = useId();
  const format = useFormat();
  const [terms, setTerms] = useState(of.terms);
  const [forAccounts, setForAccounts] = useState(of.terms_mode === "account");
  const update = useWrite("publication_update");
  const may = of.available_actions.includes("publication_update");
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    update.mutate({ path: { b: slug }, body: { terms, terms_mode: forAccounts ? "account" : "open" } }, { onSuccess: () => toasts.show(t("saved")) });
  };
  return (
    <form className={`form ${styles.part}`} onSubmit={onSubmit} data-testid="terms-form">
      <h2>{t("terms.title")}</h2>
      <p className="dim">{t("terms.text")}</p>
      {LANGUAGES.map((tag) => (
        <div className="field" key={tag}>
          <label className="label" htmlFor={`${id}-${tag}`} lang={tag}>
            {LANGUAGE_NAMES[tag]}
          </label>
          <textarea
            id={`${id}-${tag}`}
            className="input"
            lang={tag}
            rows={4}
            maxLength={20_000}
            readOnly={!may}
            value={terms[tag]}
            onChange={(event) => setTerms({ ...terms, [tag]: event.target.value })}
            data-testid={`terms-${tag}`}
          />
        </div>
      ))}
      <label className="check">
        <input type="checkbox" checked={forAccounts} disabled={!may} onChange={(event) => setForAccounts(event.target.checked)} data-testid="terms-mode" />{" "}
        {t("terms.account")}
      </label>
      <p className="dim" data-testid="terms-accepted">
        {t("terms.accepted", { count: of.terms_accepted, number: format.number(of.terms_accepted) })}
      </p>
      {update.error && <Problem error={update.error} />}
      {may && (
        <div className="row-actions">
          <Button type="submit" busy={update.isPending} data-testid="save-terms">
            {t("save")}
          </Button>
        </div>
      )}
    </form>
  );
}
