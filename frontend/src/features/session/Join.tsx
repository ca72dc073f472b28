import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useNavigate } from "react-router";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import { useRead } from "@/api/queries";
import { signIn, signOut, useSession } from "@/api/session";
import { signals } from "@/api/signals";
import type { InvitationRead } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Loading } from "@/ui/Loading";
import { useTitle } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { LogInForm, useLogIn } from "./LogInForm";
import { NewAccount } from "./NewAccount";
import { PublicFrame } from "./PublicFrame";
import { useLinkToken } from "@/ui/useLinkToken";
import styles from "./sign-in.module.css";

/** Where an invitation leads: what it gives, then in with the account one has or with a new one. */
export function Join() {
  const { t } = useTranslation("session");
  const token = useLinkToken();
  const invitation = useRead("invitation_read", { body: { token } }, { enabled: token !== "", staleTime: Infinity });
  useTitle(t("join.title"));
  if (token === "") {
    return (
      <PublicFrame heading={t("join.title")}>
        <p className="dim">{t("link.missing")}</p>
        <Link to="/">{t("link.home")}</Link>
      </PublicFrame>
    );
  }
  if (invitation.data?.purpose === "password") return <Navigate to={{ pathname: "/password", hash: token }} replace />;
  return (
    <PublicFrame heading={t("join.title")}>
      {invitation.data ? (
        <Accept token={token} invitation={invitation.data} />
      ) : invitation.error ? (
        <LinkRefused error={invitation.error} onRetry={() => void invitation.refetch()} />
      ) : (
        <Loading />
      )}
    </PublicFrame>
  );
}

/** A link that opens nothing any more: what happened, and where else one can go. */
export function LinkRefused({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const { t } = useTranslation("session");
  return (
    <div className="form">
      <Problem error={error} onRetry={error.isPassing ? onRetry : undefined} />
      <Link to="/">{t("link.home")}</Link>
    </div>
  );
}

function Accept({ token, invitation }: { token: string; invitation: InvitationRead }) {
  const { t } = useTranslation("session");
  const name = useLocalised();
  const session = useSession();
  const [signingIn, setSigningIn] = useState(false);
  const client = useQueryClient();
  const logIn = useLogIn(async () => {
    await client.invalidateQueries({ queryKey: ["session_show"] });
  });
  const me = session.data?.person;
  return (
    <div className={styles.join} data-testid="join">
      <p className="join-what">
        {t("join.invited", { by: invitation.invited_by.name })} <b>{name(invitation.benchmark.title)}</b>
      </p>
      <p className="chips">
        {invitation.roles.map((role) => (
          <Chip key={role.code} tone="accent">
            {name(role.name)}
          </Chip>
        ))}
        {invitation.team && <Chip>{t("join.team", { team: invitation.team.name })}</Chip>}
      </p>
      <p className="tiny">
        <Time at={invitation.expires_at} sentence={(time) => t("join.expires", { time })} />
      </p>
      {session.isPending ? (
        <Loading />
      ) : me ? (
        <AsMyself token={token} me={me} />
      ) : signingIn ? (
        <>
          <LogInForm logIn={logIn} />
          <button type="button" className="linklike" onClick={() => setSigningIn(false)} data-testid="join-as-new">
            {t("join.asNew")}
          </button>
        </>
      ) : (
        <>
          <AsNew token={token} isOutsider={invitation.roles.every(({ code }) => code === "outsider")} />
          <button type="button" className="linklike" onClick={() => setSigningIn(true)} data-testid="join-have-account">
            {t("join.haveAccount")}
          </button>
        </>
      )}
    </div>
  );
}

/** Sends the acceptance and opens the benchmark; `before` and `after` are rendered around the button. */
function useAccept() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const accept = async (body: Parameters<typeof call<"invitation_accept">>[1]["body"], password?: string) => {
    setBusy(true);
    setError(null);
    try {
      const { slug, username, is_outsider: isOutsider } = await call("invitation_accept", { body });
      if (password !== undefined) await signIn(username, password);
      signals.signedIn();
      await client.resetQueries({ queryKey: ["session_show"] });
      void navigate(isOutsider ? `/submit/${slug}` : `/b/${slug}`, { replace: true });
    } catch (problem) {
      setError(toApiError(problem));
    } finally {
      setBusy(false);
    }
  };
  return { accept, busy, error };
}

function AsMyself({ token, me }: { token: string; me: { username: string; name: string } }) {
  const { t } = useTranslation("session");
  const client = useQueryClient();
  const { accept, busy, error } = useAccept();
  return (
    <div className="form">
      <p>{t("join.signedInAs", { name: me.name, username: me.username })}</p>
      {error && <Problem error={error} />}
      <Button look="primary" busy={busy} onClick={() => void accept({ token })} data-testid="join-accept">
        {t("join.acceptAs", { name: me.name })}
      </Button>
      <button
        type="button"
        className="linklike"
        onClick={() => {
          void signOut().then(() => client.resetQueries({ queryKey: ["session_show"] }));
        }}
        data-testid="join-not-me"
      >
        {t("join.notMe")}
      </button>
    </div>
  );
}

function AsNew({ token, isOutsider }: { token: string; isOutsider: boolean }) {
  const { t } = useTranslation("session");
  const { accept, busy, error } = useAccept();
  return (
    <NewAccount
      onCreate={(account) => void accept({ token, ...account }, account.password)}
      busy={busy}
      error={error}
      action={t("join.create")}
      nameHint={t(isOutsider ? "outside.nameHint" : "join.nameHint")}
    />
  );
}
