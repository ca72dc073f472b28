import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import { useRead } from "@/api/queries";
import { keepLanguage, signIn, signOut } from "@/api/session";
import { useInterfaceLanguage } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { Gap } from "@/ui/Gap";
import { Loading } from "@/ui/Loading";
import { useTitle } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { LinkRefused } from "./Join";
import { NewPassword } from "./NewPassword";
import { PublicFrame } from "./PublicFrame";
import { useLinkToken } from "@/ui/useLinkToken";

/** Where a password link leads: a new password, then in with it. */
export function SetPassword() {
  const { t } = useTranslation("session");
  const token = useLinkToken();
  const link = useRead("invitation_read", { body: { token } }, { enabled: token !== "", staleTime: Infinity });
  useTitle(t("reset.title"));
  return (
    <PublicFrame heading={t("reset.title")}>
      {token === "" ? (
        <>
          <p className="dim">{t("link.missing")}</p>
          <Link to="/">{t("link.home")}</Link>
        </>
      ) : link.data ? (
        <Choose token={token} username={link.data.username ?? ""} expires={link.data.expires_at} />
      ) : link.error ? (
        <LinkRefused error={link.error} onRetry={() => void link.refetch()} />
      ) : (
        <Loading />
      )}
    </PublicFrame>
  );
}

function Choose({ token, username, expires }: { token: string; username: string; expires: string }) {
  const { t } = useTranslation("session");
  const language = useInterfaceLanguage();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const onSubmit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (password === "") return;
    setBusy(true);
    setError(null);
    try {
      const set = await call("password_set", { body: { token, password } });
      // Whichever person was signed in at this browser, from here on it is the person the link was for.
      await signOut().catch(() => undefined);
      await signIn(set.username, password);
      await keepLanguage(language);
      client.clear();
      void navigate("/", { replace: true });
    } catch (problem) {
      setError(toApiError(problem));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="form" onSubmit={(event) => void onSubmit(event)} noValidate data-testid="set-password">
      <p>{t("reset.for", { username })}</p>
      {/* Password managers keep the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <NewPassword value={password} onChange={setPassword} wrong={tried && password === "" ? t("passwordMissing") : undefined} />
      {error && <Problem error={error} />}
      <Button type="submit" look="primary" busy={busy} data-testid="save-password">
        {t("reset.save")}
      </Button>
      <p className="tiny">
        {t("reset.ends")}<Gap /><Time at={expires} sentence={(time) => t("join.expires", { time })} />
      </p>
    </form>
  );
}
