import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import { useMe } from "@/api/session";
import { NewPassword } from "@/features/session/NewPassword";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import styles from "./account.module.css";

/** A new password, chosen with the current one. */
export function OwnPassword() {
  const { t } = useTranslation("app");
  const me = useMe();
  const change = useWrite("password_change");
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [revokes, setRevokes] = useState(false);
  const [tried, setTried] = useState(false);
  const missing = (value: string) => (tried && value === "" ? t("session:passwordMissing") : undefined);
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (current === "" || next === "") return;
    change.mutate(
      { body: { current_password: current, new_password: next, revoke_tokens: revokes } },
      {
        onSuccess: ({ tokens_revoked }) => {
          setCurrent("");
          setNext("");
          setRevokes(false);
          setTried(false);
          toasts.show(revokes ? t("account.passwordAndTokens", { count: tokens_revoked }) : t("account.passwordChanged"));
        },
      },
    );
  };
  return (
    <section className="card" aria-labelledby="password">
      <h2 id="password">{t("account.password")}</h2>
      <form className={styles.accountPassword} onSubmit={onSubmit} noValidate data-testid="own-password">
        {/* Password managers keep the new password under this name. */}
        <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
        <TextField
          label={t("account.currentPassword")}
          name="current-password"
          type="password"
          autoComplete="current-password"
          maxLength={128}
          value={current}
          wrong={missing(current)}
          onChange={(event) => setCurrent(event.target.value)}
          data-testid="current-password"
        />
        <NewPassword value={next} onChange={setNext} wrong={missing(next)} />
        <label>
          <input type="checkbox" checked={revokes} onChange={(event) => setRevokes(event.target.checked)} data-testid="revoke-tokens" /> {t("account.revokeTokens")}
        </label>
        {change.error && <Problem error={change.error} />}
        <Button type="submit" busy={change.isPending} data-testid="change-password">
          {t("account.changePassword")}
        </Button>
        <p className="tiny">{t("account.passwordHint")}</p>
      </form>
    </section>
  );
}
