import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { useInterfaceLanguage } from "@/i18n/localised";
import type { Language } from "@/i18n/languages";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";
import { NewPassword } from "./NewPassword";

interface Account {
  username: string;
  name: string;
  password: string;
  language: Language;
}

interface NewAccountProps {
  onCreate: (account: Account) => void;
  busy: boolean;
  error: ApiError | null;
  /** The text of the button. */
  action: string;
  /** Who sees the name. */
  nameHint: string;
}

/** The fields of a new account. */
export function NewAccount({ onCreate, busy, error, action, nameHint }: NewAccountProps) {
  const { t } = useTranslation("session");
  const language = useInterfaceLanguage();
  const [name, setName] = useState("");
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === "" || username.trim().length < 2 || password === "") return;
    onCreate({ username: username.trim(), name: name.trim(), password, language });
  };
  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <TextField
        label={t("join.name")}
        hint={nameHint}
        name="name"
        autoComplete="name"
        maxLength={120}
        value={name}
        onChange={(event) => setName(event.target.value)}
        wrong={tried && name.trim() === "" ? t("join.nameMissing") : undefined}
        data-testid="join-name"
      />
      <TextField
        label={t("username")}
        hint={t("join.usernameHint")}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        wrong={tried && username.trim().length < 2 ? t("join.usernameShort") : undefined}
        data-testid="join-username"
      />
      <NewPassword value={password} onChange={setPassword} wrong={tried && password === "" ? t("passwordMissing") : undefined} />
      {error && <Problem error={error} />}
      <Button type="submit" look="primary" busy={busy} data-testid="join-create">
        {action}
      </Button>
    </form>
  );
}
