import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, toApiError } from "@/api/errors";
import { useRead } from "@/api/queries";
import { signIn } from "@/api/session";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { LanguageSwitch } from "@/ui/LanguageSwitch";
import { useTitle } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { ThemeMenu } from "@/ui/ThemeMenu";
import { LanternScene } from "./LanternScene";
import "./sign-in.css";

/**
 * Signing in, in place: the address stays what it was. `again` names the person whose session ended
 * while they worked; what they had open waits behind this page.
 */
export function SignIn({ onSignedIn, again }: { onSignedIn: () => Promise<void>; again?: string }) {
  const { t } = useTranslation("session");
  const [username, setUsername] = useState(again ?? "");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  // Only the demo answers; anywhere else this is a 404 and nothing is shown.
  const demo = useRead("demo_log_ins", {}, { staleTime: Infinity });
  useTitle(t("title"));

  const enter = async (name: string, secret: string) => {
    setBusy(true);
    setError(null);
    try {
      await signIn(name, secret);
      await onSignedIn();
    } catch (problem) {
      setError(refused(toApiError(problem)));
    } finally {
      setBusy(false);
    }
  };

  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    void enter(username.trim(), password);
  };

  return (
    <div className="signin">
      <section className="signin-scene" aria-hidden="true">
        <LanternScene />
      </section>
      <main className="signin-side">
        <div className="signin-tools">
          <ThemeMenu />
          <LanguageSwitch />
        </div>
        <div className="signin-form">
          <img src="/lantern.svg" alt="" width={44} height={44} />
          <h1>{t("ui:product")}</h1>
          <p className="dim">{t("lead")}</p>
          {again !== undefined && (
            <p className="notice notice-warn" role="status">
              {t("again")}
            </p>
          )}
          <form className="form" onSubmit={onSubmit}>
            <TextField
              label={t("username")}
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus={again === undefined}
              required
              value={username}
              onChange={(event) => setUsername(event.target.value)}
              data-testid="username"
            />
            <TextField
              label={t("password")}
              name="password"
              type="password"
              autoComplete="current-password"
              autoFocus={again !== undefined}
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              data-testid="password"
            />
            {error && <Problem error={error} />}
            <Button type="submit" look="primary" busy={busy} data-testid="sign-in">
              {t("enter")}
            </Button>
          </form>
          {demo.data && demo.data.length > 0 && (
            <section className="signin-demo" aria-label={t("demo.title")} data-testid="demo-log-ins">
              <h2>{t("demo.title")}</h2>
              <p className="tiny">{t("demo.lead")}</p>
              <ul>
                {demo.data.map((logIn) => (
                  <li key={logIn.username}>
                    <button
                      type="button"
                      disabled={busy}
                      onClick={() => {
                        setUsername(logIn.username);
                        setPassword(logIn.password);
                        void enter(logIn.username, logIn.password);
                      }}
                      data-testid={`demo-${logIn.username}`}
                    >
                      <b>{t([`ui:role.${logIn.role}`, logIn.role])}</b>
                      <span className="mono">{logIn.username}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </main>
    </div>
  );
}

/** allauth answers a wrong password with 400, too many of them with 429 and a missing token with 403; none has a code of ours. */
function refused(error: ApiError): ApiError {
  if (error.status === 400 || error.status === 401) return new ApiError(error.status, "sign_in_refused");
  if (error.status === 429) return new ApiError(error.status, "sign_in_throttled");
  if (error.status === 403) return new ApiError(error.status, "csrf_failed");
  return error;
}
