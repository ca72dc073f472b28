import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useQueryClient } from "@tanstack/react-query";
import { queryKey, useRead, useWrite } from "@/api/queries";
import { useSession } from "@/api/session";
import type { SessionBenchmark } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { TextField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { toasts } from "@/ui/toasts";
import styles from "./consent.module.css";

/** The person's consents, one for each benchmark; withdraws them. */
export function MyConsents() {
  const { t } = useTranslation("consent");
  const benchmarks = useSession().data?.benchmarks.filter((one) => one.consent.needed) ?? [];
  return (
    <section className="card" aria-labelledby="consents">
      <h2 id="consents">{t("own.title")}</h2>
      <p className="dim">{t("own.lead")}</p>
      {benchmarks.length === 0 ? (
        <p className="faint">{t("own.none")}</p>
      ) : (
        <ul className={styles.consentList}>
          {benchmarks.map((one) => (
            <MyConsent key={one.slug} benchmark={one} />
          ))}
        </ul>
      )}
    </section>
  );
}

function MyConsent({ benchmark }: { benchmark: SessionBenchmark }) {
  const { t } = useTranslation("consent");
  const name = useLocalised();
  const { slug } = benchmark;
  const { given } = benchmark.consent;
  const text = useRead("consent_show", { path: { b: slug } }, { enabled: given });
  const [withdrawing, setWithdrawing] = useState(false);
  // The site's owner passes without having agreed to anything, and so has nothing to withdraw.
  if (given && text.data?.given_at === null) return null;
  return (
    <li data-testid={`consent-${slug}`}>
      <div className={styles.consentLine}>
        <div>
          <Link to={`/b/${slug}/consent`}>{name(benchmark.title)}</Link>{" "}
          <Chip tone={given ? "good" : "warn"}>{given ? t("own.given") : t("own.missing")}</Chip>
          {text.data?.given_at && (
            <p className="tiny">
              {t("version", { version: text.data.version })} · <Time at={text.data.given_at} />
            </p>
          )}
        </div>
        {given && !withdrawing && (
          <Button small look="danger" onClick={() => setWithdrawing(true)} data-testid={`withdraw-${slug}`}>
            {t("withdraw.open")}
          </Button>
        )}
        {!given && (
          <ButtonLink small to={`/b/${slug}/consent`}>
            {t("own.read")}
          </ButtonLink>
        )}
      </div>
      {withdrawing && <Withdraw slug={slug} onDone={() => setWithdrawing(false)} />}
    </li>
  );
}

function Withdraw({ slug, onDone }: { slug: string; onDone: () => void }) {
  const { t } = useTranslation("consent");
  const client = useQueryClient();
  const withdraw = useWrite("consent_withdraw");
  const [typed, setTyped] = useState("");
  return (
    <form
      className={`form ${styles.consentWithdraw}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== slug) return;
        withdraw.mutate(
          { path: { b: slug } },
          {
            onSuccess: () => {
              void client.invalidateQueries({ queryKey: queryKey("session_show") });
              toasts.show(t("withdraw.done"));
              onDone();
            },
          },
        );
      }}
    >
      <p>{t("withdraw.text")}</p>
      <TextField
        label={t("withdraw.type", { slug })}
        value={typed}
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        data-testid="withdraw-typed"
      />
      {withdraw.error && <Problem error={withdraw.error} />}
      <div className="row-actions">
        <Button type="submit" look="danger" busy={withdraw.isPending} disabled={typed.trim() !== slug} data-testid="withdraw-confirm">
          {t("withdraw.confirm")}
        </Button>
        <Button onClick={onDone}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}
