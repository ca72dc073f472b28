import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useQueryClient } from "@tanstack/react-query";
import { requiredConsent } from "@/api/requiredConsent";
import { queryKey, useRead, useWrite } from "@/api/queries";
import type { ConsentText } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Loaded } from "@/ui/Loaded";
import { Button } from "@/ui/Button";
import { Problem } from "@/ui/Problem";
import { ConsentBody } from "./ConsentBody";
import styles from "./consent.module.css";

/** The consent text, the declarations it requires, and the decision. */
export function ConsentForm({ slug, onGiven }: { slug: string; onGiven?: () => void }) {
  const text = useRead("consent_show", { path: { b: slug } }, { fresh: true });
  return <Loaded of={text}>{(data) => <Form key={data.text_sha256} slug={slug} text={data} onGiven={onGiven} />}</Loaded>;
}

function Form({ slug, text, onGiven }: { slug: string; text: ConsentText; onGiven: (() => void) | undefined }) {
  const { t } = useTranslation("consent");
  const name = useLocalised();
  const client = useQueryClient();
  const give = useWrite("consent_give");
  const [declared, setDeclared] = useState<readonly string[]>([]);
  const [tried, setTried] = useState(false);
  const missing = text.eligibility.some((one) => !declared.includes(one.code));

  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (missing) return;
    give.mutate(
      { path: { b: slug }, body: { text_sha256: text.text_sha256, eligibility: [...declared] } },
      {
        // The frame and the pages read from the session whether consent is still missing.
        onSuccess: () =>
          void client.invalidateQueries({ queryKey: queryKey("session_show") }).then(() => {
            requiredConsent.accept(slug);
            onGiven?.();
          }),
      },
    );
  };

  return (
    <form className={`form ${styles.consent}`} onSubmit={onSubmit} noValidate data-testid="consent-form">
      <ConsentBody text={text} />
      {text.eligibility.length > 0 && (
        <fieldset className={styles.consentEligible}>
          <legend>{t("eligibility")}</legend>
          {text.eligibility.map((one) => (
            <label key={one.code}>
              <input
                type="checkbox"
                checked={declared.includes(one.code)}
                onChange={(event) => setDeclared(event.target.checked ? [...declared, one.code] : declared.filter((code) => code !== one.code))}
                data-testid={`eligible-${one.code}`}
              />
              <span>{name(one.name)}</span>
            </label>
          ))}
          {tried && missing && (
            <p className="wrong" role="alert">
              {t("eligibilityMissing")}
            </p>
          )}
        </fieldset>
      )}
      {give.error && <Problem error={give.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={give.isPending} data-testid="consent-give">
          {t("give")}
        </Button>
      </div>
      <p className="tiny">{t("withdrawHint")}</p>
    </form>
  );
}
