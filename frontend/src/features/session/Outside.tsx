/** What a person sees who is not signed in and wants to submit predictions: the benchmark, and a way in. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMatch } from "react-router";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import { useRead } from "@/api/queries";
import { signIn } from "@/api/session";
import { useLocalised } from "@/i18n/localised";
import { Loading } from "@/ui/Loading";
import { useTitle } from "@/ui/Page";
import { LogInForm, useLogIn } from "./LogInForm";
import { NewAccount } from "./NewAccount";
import { PublicFrame } from "./PublicFrame";
import styles from "./sign-in.module.css";

export function Outside({ slug, onSignedIn }: { slug: string; onSignedIn: () => Promise<void> }) {
  const { t } = useTranslation("session");
  const name = useLocalised();
  const page = useRead("submit_show", { path: { b: slug } });
  const logIn = useLogIn(onSignedIn);
  const [isNew, setIsNew] = useState(false);
  const isReport = useMatch("/submit/:slug/errata") !== null;
  useTitle(t(isReport ? "outside.reportTitle" : "outside.title"));
  // A benchmark without public pages is none to strangers; members sign in all the same.
  const mayJoin = page.data?.may_join === true;
  return (
    <PublicFrame heading={page.data ? name(page.data.benchmark.title) : undefined}>
      {page.isPending ? (
        <Loading />
      ) : (
        <div className={styles.join} data-testid="outside">
          <p className="dim">{t(isReport ? "outside.reportLead" : "outside.lead")}</p>
          {isNew && mayJoin ? <SignUp slug={slug} onSignedIn={onSignedIn} /> : <LogInForm logIn={logIn} />}
          {mayJoin ? (
            <button type="button" className="linklike" onClick={() => setIsNew(!isNew)} data-testid="outside-switch">
              {t(isNew ? "outside.haveAccount" : "outside.signUp")}
            </button>
          ) : (
            <p className="tiny">{t("outside.invited")}</p>
          )}
          {page.data && (
            <p>
              <a href={page.data.url}>{t("outside.public")}</a>
            </p>
          )}
        </div>
      )}
    </PublicFrame>
  );
}

function SignUp({ slug, onSignedIn }: { slug: string; onSignedIn: () => Promise<void> }) {
  const { t } = useTranslation("session");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const create = async (account: Parameters<typeof call<"submit_join">>[1]["body"] & { password: string }) => {
    setBusy(true);
    setError(null);
    try {
      const { username } = await call("submit_join", { path: { b: slug }, body: account });
      await signIn(username, account.password);
      await onSignedIn();
    } catch (problem) {
      setError(toApiError(problem));
      setBusy(false);
    }
  };
  return (
    <NewAccount onCreate={(account) => void create(account)} busy={busy} error={error} action={t("outside.create")} nameHint={t("outside.nameHint")} />
  );
}
