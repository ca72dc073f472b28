import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, toApiError } from "@/api/errors";
import { keepLanguage, signIn } from "@/api/session";
import { useInterfaceLanguage } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";

/** Signing in: `enter` is for those who bring name and password from elsewhere, `form` draws the two fields. */
export function useLogIn(onSignedIn: () => Promise<void>) {
  const language = useInterfaceLanguage();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const enter = async (name: string, secret: string) => {
    setBusy(true);
    setError(null);
    try {
      await signIn(name, secret);
      await keepLanguage(language);
      await onSignedIn();
    } catch (problem) {
      setError(refused(toApiError(problem)));
    } finally {
      setBusy(false);
    }
  };
  return { enter, busy, error };
}

export function LogInForm({ again, logIn }: { again?: string | undefined; logIn: ReturnType<typeof useLogIn> }) {
  const { t } = useTranslation("session");
  const [username, setUsername] = useState(again ?? "");
  const [password, setPassword] = useState("");
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    void logIn.enter(username.trim(), password);
  };
  return (
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
      {logIn.error && <Problem error={logIn.error} />}
      <Button type="submit" look="primary" busy={logIn.busy} data-testid="sign-in">
        {t("enter")}
      </Button>
    </form>
  );
}

/** allauth answers a wrong password with 400, too many of them with 429 and a missing token with 403; none has a code of ours. */
function refused(error: ApiError): ApiError {
  if (error.status === 400 || error.status === 401) return new ApiError(error.status, "sign_in_refused");
  if (error.status === 429) return new ApiError(error.status, "sign_in_throttled");
  if (error.status === 403) return new ApiError(error.status, "csrf_failed");
  return error;
}
